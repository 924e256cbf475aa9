import type { DataSource } from 'typeorm';

/** What a node of a plan is, as `EXPLAIN` tells it. */
interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

/** A plan as its nodes: `Index Scan flows_by_name`, `Seq Scan flows`, `Sort`. */
export async function planOf(
  dataSource: DataSource,
  statement: string,
  values: readonly unknown[],
): Promise<string[]> {
  const [explained] = await dataSource.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(
    `EXPLAIN (FORMAT JSON) ${statement}`,
    [...values],
  );
  const nodes = ({ Plans = [], ...node }: PlanNode): string[] => [
    [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' '),
    ...Plans.flatMap(nodes),
  ];
  return nodes(explained!['QUERY PLAN'][0]!.Plan);
}
