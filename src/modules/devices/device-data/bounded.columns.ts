import type { Row } from '../../../platform/database/row-shape.js';
import { ValidationError } from '../../../lib/errors/errors.js';

/** What an answer has at most: as many values, and as much text, as a process can hold of several answers at once. */
export const MOST_VALUES = 500_000;
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * SQL of two tables for a WITH: `v`, the rows of `values`, which have a `value` as JSON, and `n`, which says of them whether they are
 * too `many` for an answer. They are kept aside until that is known, and not put together where they are.
 */
export const boundedSql = (values: string): string => `v AS MATERIALIZED (
      SELECT * FROM (${values}) v LIMIT ${MOST_VALUES + 1}),
    n AS MATERIALIZED (SELECT count(*) > ${MOST_VALUES} OR coalesce(sum(octet_length(v.value)), 0) > ${MOST_BYTES} AS many
      FROM v)`;

/** SQL of the one row that there is where they are too many. */
export const TOO_MANY = 'SELECT NULL, NULL FROM n WHERE n.many';

/** The texts by id that a statement found; 400 where they were too many, with the parameter that asked for them. */
export function textsById(rows: readonly Row[], parameter: string): Map<string, string> {
  if (rows[0]?.[0] === null) throw tooMany(parameter);
  return new Map(rows.map(([id, text]) => [id!, text!]));
}

/** What a caller is told whose answer would be too large. */
export const tooMany = (parameter: string): ValidationError =>
  new ValidationError(
    `${parameter} makes too much for one answer: ask for less time, longer steps, fewer devices or fewer attributes`,
  );
