import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';

export const UNLISTED = Symbol('unlisted');

/** Marks a route that needs no token and is no part of the API or its document: probes, and links that are a right. */
export function Unlisted(): MethodDecorator {
  return applyDecorators(SetMetadata(UNLISTED, true), ApiExcludeEndpoint());
}
