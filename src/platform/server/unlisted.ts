import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';

export const UNLISTED = Symbol('unlisted');

/**
 * Marks a route that requires no token and is not part of the API or its document: probes, and links that grant access.
 */
export function Unlisted(): MethodDecorator {
  return applyDecorators(SetMetadata(UNLISTED, true), ApiExcludeEndpoint());
}
