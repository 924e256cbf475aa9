import type { Row } from '../../../platform/database/row-shape.js';
import { ValidationError } from '../../../lib/errors/errors.js';

/**
 * Maximum number of values in a response. With the limit in bytes, it lets a process hold several responses in memory.
 */
export const MAX_VALUES = 500_000;
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Returns SQL of two tables for a `WITH` clause: `v`, the rows of `values`, which have a JSON `value`, and `n`, whose
 * column `many` is true if they exceed the limits of a response. Both are materialized, so that the rows are aggregated
 * only if they are within the limits.
 */
export const boundedSql = (values: string): string => `v AS MATERIALIZED (
      SELECT * FROM (${values}) v LIMIT ${MAX_VALUES + 1}),
    n AS MATERIALIZED (SELECT count(*) > ${MAX_VALUES} OR coalesce(sum(octet_length(v.value)), 0) > ${MAX_BYTES} AS many
      FROM v)`;

/** SQL that returns a single row if the values exceed the limits. */
export const TOO_MANY_VALUES_ROW = 'SELECT NULL, NULL FROM n WHERE n.many';

/**
 * Returns the texts found by a statement, by ID; throws a 400 error that names the parameter if the values exceed the
 * limits.
 */
export function textsById(rows: readonly Row[], parameter: string): Map<string, string> {
  if (rows[0]?.[0] === null) throw tooManyValuesError(parameter);
  return new Map(rows.map(([id, text]) => [id!, text!]));
}

/** Returns the error for a response that would be too large. */
export const tooManyValuesError = (parameter: string): ValidationError =>
  new ValidationError(
    `${parameter} exceeds the maximum response size: request a shorter time range, longer steps, fewer devices or fewer attributes`,
  );
