import { groupOf, type FlowClass, type FlowGlobal, type FlowGraph, type FlowNode } from '../graph/graph.js';
import { NODE_KINDS } from '../nodes/index.js';
import { EDGE_CLASSES } from '../nodes/node-kind.js';
import { mergedGlobals } from './root-payload.js';
import { OTHER_TYPES } from '../nodes/other-types.js';
import { prepareNode } from './prepare-node.js';
import type { Step } from './node-run.js';
import type { Program, ProgramNode } from './program.js';
import { RunFault } from './run-error.js';

/** Version of a workflow, as it is stored. */
export interface FlowSource {
  readonly applicationId: string;
  readonly applicationName: string;
  readonly flowId: string;
  readonly flowName: string;
  /** `null` for the development version. */
  readonly flowVersionId: string | null;
  /** Name of the version; `develop` for the development version. */
  readonly flowVersion: string;
  readonly flowClass: FlowClass;
  /** Whether it is a custom node of the instance. */
  readonly isOfInstance?: boolean;
  readonly graph: FlowGraph;
  /** Globals of the application and, for experience workflows, of the version of the experience; later ones override. */
  readonly outerGlobals: readonly (readonly FlowGlobal[])[];
}

/**
 * Prepares a version of a workflow. Never fails: each node is prepared when the first path reaches it, and its errors
 * fail that run. Ignores outputs that lead to no node of the same loop.
 */
export function compileProgram({ graph, outerGlobals, ...facts }: FlowSource): Program {
  const { triggers = [], nodes = [], globals = [], customNodeConfig } = graph;
  const sources = inOrder(nodes);
  const programNodes = sources.map((source, order) => programNode(source, order, facts.flowClass));
  const byId = new Map(sources.map((source, i) => [source.id!, { source, node: programNodes[i]! }]));
  const leadingTo = (ids: readonly string[], group: string | undefined): readonly ProgramNode[] =>
    ids.flatMap((id) => {
      const to = byId.get(id);
      return to && groupOf(to.source) === group ? [to.node] : [];
    });
  sources.forEach((source, i) => {
    programNodes[i]!.targets = (source.outputIds ?? []).map((ids, output) =>
      leadingTo(ids, source.type === 'LoopNode' && output > 0 ? source.id : groupOf(source)),
    );
  });
  return {
    ...facts,
    globals: mergedGlobals(...outerGlobals, globals),
    ...(customNodeConfig ? { customNode: customNodeConfig } : {}),
    triggers: triggers.map(({ type, key, meta, outputIds = [] }) => ({
      type,
      ...(key === undefined ? {} : { key }),
      uiId: typeof meta?.uiId === 'string' ? meta.uiId : '',
      targets: leadingTo(outputIds[0] ?? [], undefined),
    })),
    nodes: programNodes,
  };
}

function programNode(node: FlowNode, order: number, flowClass: FlowClass) {
  const { id, type, meta } = node;
  const made = {
    id: id!,
    type,
    ...(typeof meta?.label === 'string' ? { label: meta.label } : {}),
    order,
    step: ((path) => (made.step = prepared(node, flowClass))(path)) as Step,
    targets: [] as readonly (readonly ProgramNode[])[],
  };
  return made;
}

function prepared(node: FlowNode, flowClass: FlowClass): Step {
  const kind = NODE_KINDS.get(node.type);
  const isElsewhere = kind?.classes === EDGE_CLASSES && !EDGE_CLASSES.includes(flowClass);
  if (kind?.run && !isElsewhere) return prepareNode(kind.run, node);
  const reason = isElsewhere
    ? 'it runs on edge devices only'
    : (OTHER_TYPES.get(node.type)?.reason ?? 'this platform cannot run its type');
  return () => {
    throw new RunFault('UnsupportedNodeError', `${node.type} ${node.id} cannot run: ${reason}`);
  };
}

/** Returns the nodes that outputs can lead to, each before those that it leads to, except in cycles. */
function inOrder(nodes: readonly FlowNode[]): readonly FlowNode[] {
  const byId = new Map(nodes.flatMap((node) => (node.id ? [[node.id, node] as const] : [])));
  const visited = new Set<FlowNode>();
  const ended: FlowNode[] = [];
  for (const start of byId.values()) {
    // Iterative, because a path can contain thousands of nodes.
    const way = [{ node: start, next: nextOf(start, byId) }];
    if (visited.has(start)) continue;
    visited.add(start);
    while (way.length > 0) {
      const { node, next } = way.at(-1)!;
      const to = next.pop();
      if (to === undefined) {
        ended.push(node);
        way.pop();
      } else if (!visited.has(to)) {
        visited.add(to);
        way.push({ node: to, next: nextOf(to, byId) });
      }
    }
  }
  return ended.reverse();
}

const nextOf = ({ outputIds = [] }: FlowNode, byId: ReadonlyMap<string, FlowNode>): FlowNode[] =>
  outputIds.flat().flatMap((id) => byId.get(id) ?? []);
