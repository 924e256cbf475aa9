import fc from 'fast-check';
import type { FlowNode } from '../../../src/workflows/graph/graph.js';

/**
 * Output of a run: the ID of each debug node with the value at `working`. If the run fails, the last entry is the
 * failing node.
 */
export type LoggedMessage = readonly (readonly [node: string, working: unknown])[];

type Working = Record<string, unknown>;
interface Round {
  capped?: Working;
  broken?: boolean;
  result?: unknown;
}

class Thrown extends Error {}

/**
 * Returns the expected output of a workflow of these nodes, from a minimal reference model in which each path has its
 * own copy of the payload.
 */
export function modelled(nodes: readonly FlowNode[], source: unknown): LoggedMessage {
  const told: [string, unknown][] = [];
  const byId = new Map(nodes.map((node) => [node.id!, node]));
  const counts: Record<string, number> = {};

  const follow = (ids: readonly string[] = [], working: Working, round?: Round): void => {
    const copies = ids.map(() => structuredClone(working));
    ids.forEach((id, i) => step(byId.get(id)!, copies[i]!, round));
  };

  const step = ({ id, type, config, outputIds = [] }: FlowNode, working: Working, round?: Round): void => {
    switch (type) {
      case 'DebugNode':
        told.push([id!, structuredClone(working)]);
        break;
      case 'StoreValueNode': {
        const key = String(config!.keyName);
        counts[key] = (counts[key] ?? 0) + 1;
        working[String(config!.resultPath).replace('working.', '')] = counts[key];
        break;
      }
      case 'ConditionalNode': {
        const { index } = (working.item ?? {}) as { index?: number };
        return follow(outputIds[index !== undefined && index > 0 ? 1 : 0], working, round);
      }
      case 'ThrowErrorNode':
        told.push([id!, structuredClone(working)]);
        throw new Thrown();
      case 'LoopCapNode':
        if (!round || round.capped) return;
        round.capped = working;
        round.broken = config!.shouldBreak as boolean;
        round.result = working[config!.mapValuePath ? 'a' : 'item'];
        return;
      case 'LoopNode':
        working = loop(outputIds[1], config!.mapResultPath, working);
        break;
    }
    follow(outputIds[0], working, round);
  };

  const loop = (inside: readonly string[] = [], results: unknown, before: Working): Working => {
    const items = Array.isArray(source) ? source : [];
    const collected: unknown[] = [];
    let working = before;
    for (const [index, value] of inside.length > 0 ? items.entries() : []) {
      const item: Working = { value, index };
      if (index === 0) item.first = true;
      if (index === items.length - 1) item.last = true;
      const round: Round = {};
      follow(inside, { ...structuredClone(working), item }, round);
      working = round.capped ?? working;
      collected.push(structuredClone(round.result) ?? null);
      if (round.broken) break;
    }
    return results ? { ...working, map: collected } : working;
  };

  try {
    follow([nodes[0]!.id!], {});
  } catch (error) {
    if (!(error instanceof Thrown)) throw error;
  }
  return told;
}

interface Plan {
  readonly kind: number;
  readonly flag: boolean;
  readonly next: readonly (readonly number[])[];
  readonly inside: readonly Plan[];
}

const CHANGE = (id: string): Partial<FlowNode> => ({
  type: 'StoreValueNode',
  config: {
    keyName: `count`,
    valueType: 'incr',
    value: '1',
    resultPath: `working.${id.length % 2 ? 'a' : 'b'}`,
  },
});

/** Plans of several nodes, with loops nested up to this depth. */
function plansOf(depth: number): fc.Arbitrary<Plan[]> {
  const plan = fc.record({
    kind: fc.nat({ max: 11 }),
    flag: fc.boolean(),
    next: fc.tuple(
      fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 2 }),
      fc.array(fc.nat({ max: 3 }), { maxLength: 2 }),
    ),
    inside: depth === 0 ? fc.constant([]) : plansOf(depth - 1),
  });
  return fc.array(plan, { minLength: 2, maxLength: 6, size: 'max' });
}

/** Workflows of a few nodes with paths that branch, end, merge, loop and fail. */
export const logicGraphs: fc.Arbitrary<FlowNode[]> = plansOf(2).map((plans) => nodesOf(plans, 'n'));

function nodesOf(plans: readonly Plan[], prefix: string, groupId?: string): FlowNode[] {
  const idOf = (i: number) => `${prefix}${i}`;
  return plans.flatMap(({ kind, flag, next, inside }, i): FlowNode[] => {
    const id = idOf(i);
    // Outputs lead only to later nodes, at most to the nearest ones.
    const outputs = next.map((steps) =>
      [...new Set(steps.map((by) => i + 1 + by).filter((at) => at < plans.length))].map(idOf),
    );
    const node = (parts: Partial<FlowNode>): FlowNode => ({
      type: 'DebugNode',
      config: { message: id, property: 'working' },
      outputIds: outputs.slice(0, 1),
      ...parts,
      id,
      ...(groupId ? { meta: { groupId } } : {}),
    });
    if (kind <= 1) return [node(CHANGE(id))];
    if (kind <= 3)
      return [
        node({
          type: 'ConditionalNode',
          config: { expression: '{{working.item.index}} > 0' },
          outputIds: outputs,
        }),
      ];
    if (kind === 4 && flag)
      return [node({ type: 'ThrowErrorNode', config: { messageTemplate: id }, outputIds: [] })];
    if (kind <= 6 && groupId)
      return [
        node({
          type: 'LoopCapNode',
          config: { shouldBreak: flag && kind === 5, ...(flag ? {} : { mapValuePath: 'working.a' }) },
          outputIds: [],
        }),
      ];
    if (kind <= 9 && inside.length > 0) {
      const body = nodesOf(inside, `${id}x`, id);
      const config = {
        loopSourcePath: 'data.source',
        currentItemPath: 'working.item',
        ...(flag ? { mapResultPath: 'working.map' } : {}),
      };
      return [node({ type: 'LoopNode', config, outputIds: [outputs[0]!, [body[0]!.id!]] }), ...body];
    }
    return [node({})];
  });
}
