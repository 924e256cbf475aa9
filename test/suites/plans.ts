import type { DataSource, QueryRunner } from 'typeorm';

/** Connection that runs `EXPLAIN`: the pool, or a single connection with its uncommitted changes. */
type Connection = Pick<DataSource | QueryRunner, 'query'>;

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

/**
 * Returns the plan for the given values, or without values the generic plan that a prepared statement may switch to.
 */
async function explain(
  connection: Connection,
  statement: string,
  values?: readonly unknown[],
  // Values are bound as the platform binds them; a generic plan has none.
  options = values ? 'COSTS' : 'GENERIC_PLAN',
): Promise<PlanNode> {
  const [explained] = (await connection.query(
    `EXPLAIN (FORMAT JSON, ${options}) ${statement}`,
    values && [...values],
  )) as { 'QUERY PLAN': { Plan: PlanNode }[] }[];
  return explained!['QUERY PLAN'][0]!.Plan;
}

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
  walk(await explain(connection, statement), 'for any values', false);
  return faults;
}

/** Returns the number of rows that a query reads from each table; runs the query. */
export async function rowsReadBy(
  connection: Connection,
  { text, values }: { text: string; values: readonly unknown[] },
): Promise<Readonly<Record<string, number>>> {
  const read: Record<string, number> = {};
  const add = (node: PlanNode) => {
    const table = node['Relation Name'];
    const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    const rows = (node['Actual Rows'] ?? 0) + removed;
    if (table) read[table] = (read[table] ?? 0) + rows * (node['Actual Loops'] ?? 1);
    node.Plans?.forEach(add);
  };
  add(await explain(connection, text, values, 'ANALYZE, TIMING OFF'));
  return read;
}
