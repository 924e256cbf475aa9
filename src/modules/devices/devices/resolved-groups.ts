import type { OwnedApplication } from '../../../platform/access/request.js';
import type { Database, Runner, Statement } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row-shape.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import {
  compileAdvancedQuery,
  parseAdvancedQuery,
  type QueryFields,
} from '../../../platform/lists/advanced-query.js';
import { groupQueriesSql, type GroupCondition, type GroupConditions } from './device-groups.columns.js';
import { GROUP_DEVICE_QUERY_FIELDS } from './device-query.columns.js';
import { selectionSql, wholeQuerySql, type FollowedGroups } from './device-selection.columns.js';

/** Maximum number of group queries evaluated together, and their maximum total length in characters. */
const MAX_QUERIES = 1000;
const MAX_QUERIES_LENGTH = 256 * 1024;
/** Reads one more than the maximum, to detect that there are more. */
export const QUERY_READ_LIMIT = MAX_QUERIES + 1;
/** Maximum number of places in which a query can refer to groups or users. */
const MAX_REFERENCES = 20;

/** Context for resolving the queries of groups. */
export interface GroupResolution {
  applicationId: string;
  /** Name of the query in messages. */
  parameter: string;
  run: (statement: Statement) => Promise<Row[]>;
  /** Whether the resulting statement finds all devices at once, rather than in pages. */
  isWhole: boolean;
}

/**
 * Returns the context for a statement that finds all results of a search; `called` is also the name of the parameter.
 */
export const searchResolution = (
  database: Database,
  { id: applicationId, ownerId: owner }: Pick<OwnedApplication, 'id' | 'ownerId'>,
  parameter: string,
): GroupResolution => ({
  applicationId,
  parameter,
  run: (statement) => database.search(statement, { owner, parameter }),
  isWhole: true,
});

/** Returns the context for statements that each find a page, or that run in a transaction. */
export const pageResolution = (
  runner: Runner,
  applicationId: string,
  parameter: string,
): GroupResolution => ({
  applicationId,
  parameter,
  run: (statement) => runner.run(statement),
  isWhole: false,
});

/** Returns the fields of queries, with the conditions that result from queries of groups. */
type FieldsOf = (others: GroupConditions) => QueryFields;

/**
 * Reads the queries of the groups that advanced queries refer to, in one statement; no statement if they refer to no
 * groups or users. Throws a `ValidationError` if a query is invalid, refers to too many groups, or refers to a group
 * whose query has become invalid.
 */
export async function resolveGroups(
  queries: readonly unknown[],
  fieldsOf: FieldsOf,
  { applicationId, parameter, run, isWhole }: GroupResolution,
): Promise<FollowedGroups> {
  const asked: GroupCondition[] = [];
  const noted = fieldsOf((one) => {
    asked.push(one);
    return [];
  });
  for (const query of queries) compileAdvancedQuery(query, noted, [], parameter);
  if (asked.length > MAX_REFERENCES)
    throw new ValidationError(
      `${parameter} refers to groups and users in more than ${MAX_REFERENCES} places`,
    );
  const rows = asked.length === 0 ? [] : await run(groupQueriesSql(applicationId, asked, QUERY_READ_LIMIT));
  const stored = storedQueries(
    rows.map(([, text, groupId]) => [text!, groupId!]),
    parameter,
  );
  const found = new Map<string, object[]>();
  asked.forEach((one, n) => {
    const own = stored.filter((_, i) => Number(rows[i]![0]) === n);
    found.set(keyOf(one), own);
  });
  return (one, values) =>
    found
      .get(keyOf(one))!
      .map((deviceQuery) =>
        isWhole ? wholeQuerySql(applicationId, deviceQuery, values) : selectionSql({ deviceQuery }, values),
      );
}

/** Returns the list or search parameters with a condition that includes the queries of groups. */
export async function resolvedQuery<T extends { query?: unknown }>(
  asked: T,
  fieldsOf: FieldsOf,
  following: GroupResolution,
): Promise<T> {
  const { query } = asked;
  if (query === undefined) return asked;
  const followed = await resolveGroups([query], fieldsOf, following);
  const condition = (values: unknown[]) =>
    compileAdvancedQuery(
      query,
      fieldsOf((one) => followed(one, values)),
      values,
    );
  return { ...asked, condition };
}

/**
 * Parses the queries of groups, each with the ID of a group that contains it; throws a 400 error if there are too many
 * or one is invalid.
 */
export function storedQueries(rows: readonly (readonly [string, string])[], called: string): object[] {
  const length = rows.reduce((sum, [text]) => sum + text.length, 0);
  if (rows.length > MAX_QUERIES || length > MAX_QUERIES_LENGTH)
    throw new ValidationError(
      `${called} cannot be evaluated: the groups have more than ${MAX_QUERIES} queries or ${MAX_QUERIES_LENGTH} characters of queries`,
    );
  return rows.map(([text, groupId]) => {
    const at = `${called} cannot be evaluated: the deviceQueryJson of the group ${groupId}`;
    const query = parseAdvancedQuery(text, at);
    compileAdvancedQuery(query, GROUP_DEVICE_QUERY_FIELDS, [], at);
    return query;
  });
}

const keyOf = ({ by, operator, operand }: GroupCondition): string => JSON.stringify([by, operator, operand]);
