import type { FlowNode } from '../graph/graph.js';

/** The types of nodes that leave the payload as it is, whatever their configuration. */
const ONLY_LOOKING: ReadonlySet<string> = new Set([
  'AnnotationNode',
  'ConditionalNode',
  'DebugNode',
  'DelayNode',
  'SwitchNode',
]);
/** The longest way through a loop that is followed; loops with longer ones clone. */
const LONGEST_WAY = 500;

/**
 * Whether the rounds of a loop may work on its payload itself. What a round changes goes on into the next one where a cap ends
 * it, else it is dropped; so they may where every round reaches a cap, or where one that reaches none has changed nothing.
 * Where neither is sure, each round needs a clone, which takes time as the payload is long.
 */
export function mayShare(loop: FlowNode, nodes: readonly FlowNode[]): boolean {
  const rounds = new Rounds(nodes);
  const inside = loop.outputIds?.[1] ?? [];
  return rounds.capped(inside, 0) || rounds.harmless(inside, 0);
}

class Rounds {
  readonly #nodes: ReadonlyMap<string | undefined, FlowNode>;
  readonly #capped = new Map<FlowNode, boolean>();
  readonly #harmless = new Map<FlowNode, boolean>();

  constructor(nodes: readonly FlowNode[]) {
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
  }

  /** Whether what follows reaches a cap for sure: one of several paths is enough, since all of them run. */
  capped(ids: readonly string[], way: number): boolean {
    return ids.some((id) => this.#remembered(this.#capped, id, way, (node) => this.#isCapped(node, way + 1)));
  }

  /** Whether a path that reaches no cap has changed nothing on its way. Where paths part, that is not looked into. */
  harmless(ids: readonly string[], way: number): boolean {
    if (ids.length !== 1) return ids.length === 0;
    return this.#remembered(this.#harmless, ids[0]!, way, (node) => this.#isHarmless(node, way + 1));
  }

  #isCapped(node: FlowNode, way: number): boolean {
    // An error ends the run, and with it the loop.
    if (node.type === 'LoopCapNode' || node.type === 'ThrowErrorNode') return true;
    return outputsOf(node).every((ids) => this.capped(ids, way));
  }

  #isHarmless(node: FlowNode, way: number): boolean {
    if (node.type === 'LoopCapNode' || node.type === 'ThrowErrorNode') return true;
    if (!ONLY_LOOKING.has(node.type)) return this.#isCapped(node, way);
    return outputsOf(node).every((ids) => this.harmless(ids, way));
  }

  #remembered(
    known: Map<FlowNode, boolean>,
    id: string,
    way: number,
    decide: (node: FlowNode) => boolean,
  ): boolean {
    const node = this.#nodes.get(id);
    if (!node || way > LONGEST_WAY) return false;
    const answer = known.get(node) ?? decide(node);
    known.set(node, answer);
    return answer;
  }
}

/** All outputs that a node may lead to, those among them that lead nowhere; of a loop what comes after it. */
function outputsOf({ type, config, outputIds = [] }: FlowNode): (readonly string[])[] {
  const cases = Array.isArray(config?.cases) ? config.cases.length : 0;
  const counts: Readonly<Record<string, number>> = {
    ConditionalNode: 2,
    LatchNode: 2,
    SwitchNode: cases + 1,
  };
  return Array.from({ length: counts[type] ?? 1 }, (_, i) => outputIds[i] ?? []);
}
