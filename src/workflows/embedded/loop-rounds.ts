import type { FlowNode } from '../graph/graph.js';

/** Types of nodes that never change the payload, whatever their configuration. */
const READ_ONLY_NODES: ReadonlySet<string> = new Set([
  'AnnotationNode',
  'ConditionalNode',
  'DebugNode',
  'DelayNode',
  'SwitchNode',
]);
/** Maximum length of a path that is analyzed; loops with longer ones clone the payload. */
const MAX_PATH_LENGTH = 500;

/**
 * Checks whether the iterations of a loop can share its payload. Changes of an iteration are kept if it reaches a cap,
 * otherwise dropped. Sharing is safe if every iteration reaches a cap, or if iterations that reach none change nothing.
 * Otherwise each iteration needs a clone, which takes time proportional to the payload.
 */
export function canSharePayload(loop: FlowNode, nodes: readonly FlowNode[]): boolean {
  const rounds = new LoopAnalysis(nodes);
  const inside = loop.outputIds?.[1] ?? [];
  return rounds.capped(inside, 0) || rounds.harmless(inside, 0);
}

class LoopAnalysis {
  readonly #nodes: ReadonlyMap<string | undefined, FlowNode>;
  readonly #capped = new Map<FlowNode, boolean>();
  readonly #harmless = new Map<FlowNode, boolean>();

  constructor(nodes: readonly FlowNode[]) {
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
  }

  /** Checks whether the following nodes always reach a cap. One of several paths is enough, because all of them run. */
  capped(ids: readonly string[], way: number): boolean {
    return ids.some((id) => this.#remembered(this.#capped, id, way, (node) => this.#isCapped(node, way + 1)));
  }

  /** Checks whether a path without a cap changes nothing. Paths that branch are not analyzed. */
  harmless(ids: readonly string[], way: number): boolean {
    if (ids.length !== 1) return ids.length === 0;
    return this.#remembered(this.#harmless, ids[0]!, way, (node) => this.#isHarmless(node, way + 1));
  }

  #isCapped(node: FlowNode, way: number): boolean {
    // An error ends the run and with it the loop.
    if (node.type === 'LoopCapNode' || node.type === 'ThrowErrorNode') return true;
    return outputsOf(node).every((ids) => this.capped(ids, way));
  }

  #isHarmless(node: FlowNode, way: number): boolean {
    if (node.type === 'LoopCapNode' || node.type === 'ThrowErrorNode') return true;
    if (!READ_ONLY_NODES.has(node.type)) return this.#isCapped(node, way);
    return outputsOf(node).every((ids) => this.harmless(ids, way));
  }

  #remembered(
    known: Map<FlowNode, boolean>,
    id: string,
    way: number,
    decide: (node: FlowNode) => boolean,
  ): boolean {
    const node = this.#nodes.get(id);
    if (!node || way > MAX_PATH_LENGTH) return false;
    const answer = known.get(node) ?? decide(node);
    known.set(node, answer);
    return answer;
  }
}

/** Returns all possible outputs of a node, including unconnected ones. For a loop, the output after it. */
function outputsOf({ type, config, outputIds = [] }: FlowNode): (readonly string[])[] {
  const cases = Array.isArray(config?.cases) ? config.cases.length : 0;
  const counts: Readonly<Record<string, number>> = {
    ConditionalNode: 2,
    LatchNode: 2,
    SwitchNode: cases + 1,
  };
  return Array.from({ length: counts[type] ?? 1 }, (_, i) => outputIds[i] ?? []);
}
