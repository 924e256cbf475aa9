import { ValidationError } from '../../lib/errors/errors.js';

/** Maximum depth of a resource, the same as for request bodies. */
export const MAX_DEPTH = 64;

export const tooDeep = (at: string) =>
  new ValidationError(`${at} is nested more than ${MAX_DEPTH} levels deep`);

/** Throws a `400` error for a value that is nested deeper than request bodies may be. */
export function assertDepth(value: unknown, at: string): void {
  if (isDeeper(value, MAX_DEPTH)) throw tooDeep(at);
}

const isDeeper = (value: unknown, max: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (max === 0 || Object.values(value).some((each) => isDeeper(each, max - 1)));
