import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { isTestFile } from '../setup/selection.js';

/** Nodes with their targets. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the imports between files of `root`, by relative path, without test suites. */
export function importsOf(root: string): Graph {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !isTestFile(file),
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

/** Groups the nodes of a graph, for example by folder; `groupOf` returns the group of a node, if any. */
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

/** Returns the cycles in a graph, each written as `a > b > a`. */
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
