import type { OwnedApplication } from '../../../platform/access/request.js';
import type { Database, Runner, Statement } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row-shape.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import {
  compileAdvancedQuery,
  parseAdvancedQuery,
  type QueryFields,
} from '../../../platform/lists/advanced-query.js';
import { groupQueriesSql, type AskedGroups, type GroupConditions } from './device-groups.columns.js';
import { GROUP_DEVICE_QUERY_FIELDS } from './device-query.columns.js';
import { selectionSql, wholeSelectionSql, type FollowedGroups } from './device-selection.columns.js';

/** How many queries of groups are asked together, and how many characters they may have. */
const MOST_QUERIES = 1000;
const LONGEST_QUERIES = 256 * 1024;
/** One more is asked for than may be, to know that there are more. */
export const QUERIES_READ = MOST_QUERIES + 1;
/** In so many places a query may ask for groups or users. */
const MOST_PLACES = 20;

/** How the queries of groups are found, and what of. */
export interface Following {
  applicationId: string;
  /** How the caller knows the query. */
  called: string;
  run: (statement: Statement) => Promise<Row[]>;
  /** Whether what follows them finds all devices at once, and not pages of them. */
  isWhole: boolean;
}

/** For a statement that finds all that a caller searches for; `called` is the parameter too. */
export const searching = (
  database: Database,
  { id: applicationId, ownerId: owner }: Pick<OwnedApplication, 'id' | 'ownerId'>,
  called: string,
): Following => ({
  applicationId,
  called,
  run: (statement) => database.search(statement, { owner, parameter: called }),
  isWhole: true,
});

/** For statements that find a page each, or that run in a transaction. */
export const paging = (runner: Runner, applicationId: string, called: string): Following => ({
  applicationId,
  called,
  run: (statement) => runner.run(statement),
  isWhole: false,
});

/** What queries may ask, with the conditions that queries of groups are. */
type FieldsOf = (others: GroupConditions) => QueryFields;

/**
 * Reads what those groups are about by queries of their own that advanced queries ask for: one statement, and none where they ask
 * for no groups or users. Throws `ValidationError` for a query that means nothing, that asks for too many, or that comes upon one
 * of a group that means nothing any more.
 */
export async function followGroups(
  queries: readonly unknown[],
  fieldsOf: FieldsOf,
  { applicationId, called, run, isWhole }: Following,
): Promise<FollowedGroups> {
  const asked: AskedGroups[] = [];
  const noted = fieldsOf((one) => {
    asked.push(one);
    return [];
  });
  for (const query of queries) compileAdvancedQuery(query, noted, [], called);
  if (asked.length > MOST_PLACES)
    throw new ValidationError(`${called} asks for groups and users in more than ${MOST_PLACES} places`);
  const rows = asked.length === 0 ? [] : await run(groupQueriesSql(applicationId, asked, QUERIES_READ));
  const stored = storedQueries(
    rows.map(([, text, groupId]) => [text!, groupId!]),
    called,
  );
  const found = new Map<string, object[]>();
  asked.forEach((one, n) => {
    const own = stored.filter((_, i) => Number(rows[i]![0]) === n);
    found.set(keyOf(one), own);
  });
  const selectedSql = isWhole ? wholeSelectionSql : selectionSql;
  return (one, values) =>
    found.get(keyOf(one))!.map((deviceQuery) => selectedSql(applicationId, { deviceQuery }, values));
}

/** What a list or search is asked for, with a query that follows groups in place of one that does not. */
export async function followedQuery<T extends { query?: unknown }>(
  asked: T,
  fieldsOf: FieldsOf,
  following: Following,
): Promise<T> {
  const { query } = asked;
  if (query === undefined) return asked;
  const followed = await followGroups([query], fieldsOf, following);
  const condition = (values: unknown[]) =>
    compileAdvancedQuery(
      query,
      fieldsOf((one) => followed(one, values)),
      values,
    );
  return { ...asked, condition };
}

/** The queries of groups, each with a group that has it; 400 where they are more than are asked together, or one means nothing. */
export function storedQueries(rows: readonly (readonly [string, string])[], called: string): object[] {
  const length = rows.reduce((sum, [text]) => sum + text.length, 0);
  if (rows.length > MOST_QUERIES || length > LONGEST_QUERIES)
    throw new ValidationError(
      `${called} cannot be answered: the groups have more than ${MOST_QUERIES} queries, or ${LONGEST_QUERIES} characters of them`,
    );
  return rows.map(([text, groupId]) => {
    const at = `${called} cannot be answered: the deviceQueryJson of the group ${groupId}`;
    const query = parseAdvancedQuery(text, at);
    compileAdvancedQuery(query, GROUP_DEVICE_QUERY_FIELDS, [], at);
    return query;
  });
}

const keyOf = ({ by, operator, operand }: AskedGroups): string => JSON.stringify([by, operator, operand]);
