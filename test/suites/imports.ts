import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** What each node points to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Which files of `root` import which, under their paths below it; suites are left out. */
export function importsOf(root: string): Graph {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('spec.ts'),
  );
  return new Map(
    files.map((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'));
      const local = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'));
      const paths = local.map((name) =>
        relative(root, join(root, dirname(file), name)).replace(/\.js$/, '.ts'),
      );
      return [file, new Set(paths)];
    }),
  );
}

/** The same between groups of nodes, such as folders. `groupOf` returns the group of a node, if any. */
export function grouped(graph: Graph, groupOf: (node: string) => string | undefined): Graph {
  const groups = new Map<string, Set<string>>();
  for (const [node, targets] of graph) {
    const group = groupOf(node);
    if (group === undefined) continue;
    const arrows = groups.get(group) ?? new Set<string>();
    groups.set(group, arrows);
    for (const target of [...targets].map(groupOf)) {
      if (target !== undefined && target !== group) arrows.add(target);
    }
  }
  return groups;
}

/** Cycles found by a walk through the graph, each written as `a > b > a`. Empty without cycles. */
export function circlesOf(graph: Graph): string[] {
  const circles: string[] = [];
  const path: string[] = [];
  const done = new Set<string>();
  const visit = (node: string): void => {
    if (done.has(node)) return;
    const at = path.indexOf(node);
    if (at >= 0) {
      circles.push([...path.slice(at), node].join(' > '));
      return;
    }
    path.push(node);
    for (const target of graph.get(node) ?? []) visit(target);
    path.pop();
    done.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return circles;
}
