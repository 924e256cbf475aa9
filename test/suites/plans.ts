import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { literalOf } from './literals.js';
import type { Sent } from './statements.js';

/** Connection that runs `EXPLAIN`: the pool, or a single connection with its uncommitted changes. */
type Connection = DataSource | QueryRunner;

/** A plan node as reported by `EXPLAIN`. */
interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/** Returns the nodes of a plan: `Index Scan flows_by_name`, `Seq Scan flows`, `Sort`. */
export async function planOf(
  connection: Connection,
  statement: string,
  values: readonly unknown[],
): Promise<string[]> {
  const names = (node: PlanNode): string[] => [nameOf(node), ...(node.Plans ?? []).flatMap(names)];
  return names(await explain(connection, statement, values));
}

/** Returns the plan for the given values, which are bound as the platform binds them. */
async function explain(
  connection: Connection,
  statement: string,
  values: readonly unknown[],
  options = 'COSTS',
): Promise<PlanNode> {
  return planIn(await connection.query(`EXPLAIN (FORMAT JSON, ${options}) ${statement}`, [...values]));
}

/**
 * Returns the generic plan, which prepared statements have. Before version 16, only a prepared statement shows it.
 */
async function explainGeneric(
  connection: Connection,
  statement: string,
  values: readonly unknown[],
  options = 'COSTS',
): Promise<PlanNode> {
  const given = values.map(literalOf);
  const parameters = given.length > 0 ? `(${given.join(', ')})` : '';
  const plan = async (on: Pick<QueryRunner | EntityManager, 'query'>): Promise<PlanNode> => {
    await on.query('SET LOCAL plan_cache_mode = force_generic_plan');
    await on.query(`PREPARE explained AS ${statement}`);
    const rows = await on.query(`EXPLAIN (FORMAT JSON, ${options}) EXECUTE explained${parameters}`);
    await on.query('DEALLOCATE explained');
    await on.query('SET LOCAL plan_cache_mode TO DEFAULT');
    return planIn(rows);
  };
  return connection instanceof DataSource ? connection.transaction(plan) : plan(connection);
}

const planIn = (rows: unknown): PlanNode =>
  (rows as [{ 'QUERY PLAN': [{ Plan: PlanNode }] }])[0]['QUERY PLAN'][0].Plan;

const nameOf = (node: PlanNode): string =>
  [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' ');

/**
 * Returns the parts of a plan whose cost grows with the table: a full scan, an index scan without a condition, or
 * sorting before a page is taken. Checks the plan for these values and the generic plan. If the owner has nearly all rows,
 * a page of an index without a condition is no fault of these values: it reads hardly more rows than the page has.
 */
export async function faultsOf(
  connection: Connection,
  statement: string,
  values: readonly unknown[],
  { large, sorted, ownsAll = false }: { large: ReadonlySet<string>; sorted: boolean; ownsAll?: boolean },
): Promise<string[]> {
  const faults: string[] = [];
  const walk = (node: PlanNode, kind: string, limited: boolean): void => {
    const { 'Node Type': type, 'Relation Name': table = '', Plans = [] } = node;
    const isLarge = large.has(table);
    if (type === 'Seq Scan' && isLarge) faults.push(`${kind}: ${nameOf(node)}`);
    const isPage = ownsAll && limited && kind === 'for these values';
    if (/^Index (Only )?Scan$/.test(type) && isLarge && !node['Index Cond'] && !isPage)
      faults.push(`${kind}: ${nameOf(node)} without a condition`);
    if (type === 'Sort' && limited && !sorted) faults.push(`${kind}: ${type} of more rows than the page`);
    for (const inner of Plans) walk(inner, kind, limited || type === 'Limit');
  };
  walk(await explain(connection, statement, values), 'for these values', false);
  walk(await explainGeneric(connection, statement, values), 'for any values', false);
  return faults;
}

/** Returns the number of rows that a statement reads from each table; runs the statement. */
export async function rowsReadBy(
  connection: Connection,
  statement: Sent,
): Promise<Readonly<Record<string, number>>> {
  const read: Record<string, number> = {};
  const add = (node: PlanNode) => {
    const table = node['Relation Name'];
    const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    const rows = (node['Actual Rows'] ?? 0) + removed;
    if (table) read[table] = (read[table] ?? 0) + rows * (node['Actual Loops'] ?? 1);
    node.Plans?.forEach(add);
  };
  add(await execution(connection, statement));
  return read;
}

/**
 * Returns the number of blocks of 8 KiB that a statement reads, from memory or disk; runs the statement.
 */
export async function blocksReadBy(connection: Connection, statement: Sent): Promise<number> {
  const plan = await execution(connection, statement);
  return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
}

/** Runs a statement with the plan that the platform uses: that for any values if it is prepared. */
const execution = (connection: Connection, { text, values, isPrepared }: Sent): Promise<PlanNode> =>
  (isPrepared ? explainGeneric : explain)(connection, text, values, 'ANALYZE, BUFFERS, TIMING OFF');

/** Removes what the planner knows of a table. Before version 18, this requires a superuser. */
export async function forgetStatistics(connection: QueryRunner, table: string): Promise<void> {
  const [{ version }] = (await connection.query(
    `SELECT current_setting('server_version_num')::int AS version`,
  )) as [{ version: number }];
  const statements =
    version >= 180_000
      ? [
          `SELECT pg_clear_relation_stats('public', $1)`,
          `SELECT pg_clear_attribute_stats('public', $1, attname, false) FROM pg_attribute
           WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
        ]
      : [
          'UPDATE pg_class SET relpages = 0, reltuples = -1, relallvisible = 0 WHERE oid = $1::regclass',
          'DELETE FROM pg_statistic WHERE starelid = $1::regclass',
        ];
  for (const statement of statements) await connection.query(statement, [table]);
}
