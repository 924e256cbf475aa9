import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';

export const PROBE = Symbol('probe');

/** Marks a route for operators: open, and no part of the API or its document. */
export function Probe(): MethodDecorator {
  return applyDecorators(SetMetadata(PROBE, true), ApiExcludeEndpoint());
}
