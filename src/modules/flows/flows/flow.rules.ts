import { ValidationError } from '../../../lib/errors/errors.js';
import type { FlowClass, FlowGraph } from '../../../workflows/graph/graph.js';
import { checkGraph, type GraphContext } from '../../../workflows/graph/graph.rules.js';
import { normalizeGraph } from '../../../workflows/graph/normalize.js';
import { referencesOf } from '../../../workflows/graph/references.js';

/** The members of a body, or of a row, that what a workflow does is made of. */
export function graphOf(body: object): FlowGraph {
  const { triggers, nodes, globals, customNodeConfig, minimumAgentVersion } = body as FlowGraph;
  const graph = { triggers, nodes, globals, customNodeConfig, minimumAgentVersion };
  return Object.fromEntries(Object.entries(graph).filter(([, value]) => value !== undefined));
}

/** What is to be saved of a workflow whose graph changes. */
export interface SavedGraph {
  /** The members that were given, as they are saved. */
  changes: FlowGraph & { namedIds: string[] };
  /** What the workflow does from then on. */
  whole: FlowGraph;
}

/**
 * A graph made of what is stored and what is given, or 400: nothing that is given has to fit by itself, but all of it
 * together.
 */
export function savedGraph(
  flowClass: FlowClass,
  given: object,
  { stored = {}, ...context }: GraphContext & { stored?: object } = {},
): SavedGraph {
  const changes = normalizeGraph(graphOf(given));
  const whole = { ...graphOf(stored), ...changes };
  checkGraph(flowClass, whole, context);
  return { changes: { ...changes, namedIds: namedIdsOf(whole) }, whole };
}

/** Every id that a graph names, each once. */
function namedIdsOf(graph: FlowGraph): string[] {
  const { customNodes, ...others } = referencesOf(graph);
  return [...new Set([...Object.values(others).flat(), ...customNodes.map(({ id }) => id)])];
}

/** Throws 400 where an agent that runs the workflow now would be too new for what it asks for. */
export function checkAgentVersion(stored: string | null | undefined, given: string | undefined): void {
  if (stored && given && compareVersions(given, stored) < 0)
    throw new ValidationError(`flow.minimumAgentVersion must not be less than ${stored}, which it is now`);
}

/** `1.10.0` is greater than `1.9.0`. Parts are digits without leading zeros, and can be more than a number holds. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')];
  const i = left.findIndex((part, at) => part !== right[at]);
  if (i < 0) return 0;
  return left[i]!.length - right[i]!.length || (left[i]! < right[i]! ? -1 : 1);
}

/** Throws 400 for the names that the version being developed, and the one that runs, go by. */
export function checkVersionName(version: string, at = 'flowVersion'): void {
  if (version === 'develop' || version === 'default')
    throw new ValidationError(`${at}.version must not be develop or default`);
}
