import { ValidationError } from '../../../lib/errors/errors.js';
import { compareVersions } from '../../../workflows/graph/agent-versions.js';
import type { FlowClass, FlowGraph } from '../../../workflows/graph/graph.js';
import { checkGraph, type GraphContext } from '../../../workflows/graph/graph.rules.js';
import { normalizeGraph } from '../../../workflows/graph/normalize.js';
import { referencesOf } from '../../../workflows/graph/references.js';

/** Returns the properties of a body, or of a row, that form the graph. */
export function graphOf(body: object): FlowGraph {
  const { triggers, nodes, globals, customNodeConfig, minimumAgentVersion } = body as FlowGraph;
  const graph = { triggers, nodes, globals, customNodeConfig, minimumAgentVersion };
  return Object.fromEntries(Object.entries(graph).filter(([, value]) => value !== undefined));
}

/** Graph changes to save. */
export interface SavedGraph {
  /** Changed columns of the graph. */
  changes: FlowGraph & { namedIds: string[] };
  /** Resulting graph, with the unchanged parts. */
  whole: FlowGraph;
}

/**
 * Merges a stored graph and changes to it. Throws `400` if the result is invalid; the changes alone need not be valid.
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

/** Returns the distinct IDs that a graph refers to. */
function namedIdsOf(graph: FlowGraph): string[] {
  const { customNodes, ...others } = referencesOf(graph);
  return [...new Set([...Object.values(others).flat(), ...customNodes.map(({ id }) => id)])];
}

/**
 * Throws `400` if the minimum agent version would decrease, because deployed agents may be newer than the workflow
 * supports.
 */
export function checkAgentVersion(stored: string | null | undefined, given: string | undefined): void {
  if (stored && given && compareVersions(given, stored) < 0)
    throw new ValidationError(`flow.minimumAgentVersion must not be less than its current value ${stored}`);
}

/** Throws `400` for names reserved for the development version and the default version. */
export function checkVersionName(version: string, at = 'flowVersion'): void {
  if (version === 'develop' || version === 'default')
    throw new ValidationError(`${at}.version must not be develop or default`);
}
