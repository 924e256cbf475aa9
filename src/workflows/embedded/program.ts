import { MAX_JSON_DEPTH, isTooDeep } from '../language/json-depth.js';
import type { FlowNode, FlowTrigger } from '../graph/graph.js';
import { CompileError, type BundleContents, type BundledFlow } from './bundle.js';
import { triggerType } from '../triggers/trigger-types.js';
import { periodOf } from './triggers.js';

/** Executable part of a bundle: workflows without their layout, all steps numbered. */
export interface Program {
  readonly flows: readonly ProgramFlow[];
  readonly triggers: readonly ProgramTrigger[];
  readonly steps: readonly ProgramStep[];
}

export interface ProgramFlow {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly globals: Readonly<Record<string, unknown>>;
}

export interface ProgramTrigger {
  readonly flow: number;
  readonly kind: number;
  readonly type: string;
  readonly key: string;
  readonly uiId: string;
  /** Timer period in milliseconds; 0 for other triggers. */
  readonly period: number;
  readonly outputs: Outputs;
}

export interface ProgramStep {
  readonly flow: BundledFlow;
  readonly node: FlowNode;
  readonly outputs: Outputs;
}

/** Numbers of the steps that follow each output. */
export type Outputs = readonly (readonly number[])[];

/** Returns the program of a bundle with all nodes that triggers lead to. */
export function programOf(bundle: BundleContents): Program {
  const steps: ProgramStep[] = [];
  const triggers: ProgramTrigger[] = [];
  const flows = bundle.flows.map((flow, index) => {
    const { triggers: starts = [], nodes = [] } = flow.graph;
    const reached = inOrder(flow, starts, nodes);
    const numbers = new Map(reached.map((node, i) => [node.id!, steps.length + i]));
    const outputsOf = ({ outputIds = [] }: FlowNode | FlowTrigger): Outputs =>
      outputIds.map((ids) => ids.map((id) => numbers.get(id)!));
    triggers.push(...starts.map((trigger) => startOf(flow, index, trigger, outputsOf(trigger))));
    steps.push(...reached.map((node) => ({ flow, node, outputs: outputsOf(node) })));
    return {
      id: flow.flowId,
      name: flow.name,
      version: flow.version,
      globals: globalsOf(bundle, flow),
    };
  });
  return { flows, triggers, steps };
}

function startOf(flow: BundledFlow, index: number, trigger: FlowTrigger, outputs: Outputs): ProgramTrigger {
  const { type, key = '', meta } = trigger;
  const { uiId } = meta ?? {};
  const fault = { flowId: flow.flowId, flowName: flow.name, node: type };
  const executed = triggerType(type)?.embedded;
  if (!executed) throw new CompileError('is not valid for Embedded workflows', fault);
  return {
    flow: index,
    kind: executed.kind,
    type,
    key: executed.key ?? key,
    uiId: typeof uiId === 'string' ? uiId : '',
    period: executed.isPeriodic ? periodOf(trigger, fault) : 0,
    outputs,
  };
}

/** Returns the nodes reachable from triggers, in document order. Throws if there is a cycle. */
function inOrder(
  flow: BundledFlow,
  triggers: readonly FlowTrigger[],
  nodes: readonly FlowNode[],
): FlowNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const reached = new Map<FlowNode, number>();
  const open: (FlowNode | FlowTrigger)[] = [...triggers];
  for (let part = open.pop(); part; part = open.pop()) {
    for (const id of part.outputIds?.flat() ?? []) {
      const node = byId.get(id);
      if (!node)
        throw new CompileError(
          `leads to ${JSON.stringify(id)}, which does not exist`,
          faultOf(flow, part, 'outputIds'),
        );
      const paths = reached.get(node);
      reached.set(node, (paths ?? 0) + 1);
      if (paths === undefined) open.push(node);
    }
  }
  assertAcyclic(flow, triggers, byId, new Map(reached));
  return nodes.filter((node) => reached.has(node));
}

/** Removes nodes without incoming paths until none are left. Nodes that cannot be removed are in or behind a cycle. */
function assertAcyclic(
  flow: BundledFlow,
  triggers: readonly FlowTrigger[],
  byId: ReadonlyMap<string | undefined, FlowNode>,
  incoming: Map<FlowNode, number>,
): void {
  const open: (FlowNode | FlowTrigger)[] = [...triggers];
  for (let part = open.pop(); part; part = open.pop()) {
    for (const id of part.outputIds?.flat() ?? []) {
      const node = byId.get(id)!;
      const left = incoming.get(node)! - 1;
      incoming.set(node, left);
      if (left > 0) continue;
      incoming.delete(node);
      open.push(node);
    }
  }
  const [stuck] = incoming.keys();
  if (stuck)
    throw new CompileError('is part of a path that leads back to itself', faultOf(flow, stuck, 'outputIds'));
}

function faultOf(flow: BundledFlow, part: FlowNode | FlowTrigger, field?: string) {
  return { flowId: flow.flowId, flowName: flow.name, node: ('id' in part && part.id) || part.type, field };
}

function globalsOf({ globals }: BundleContents, flow: BundledFlow): Readonly<Record<string, unknown>> {
  const refuse = (key: string, words: string): never => {
    throw new CompileError(`the global ${JSON.stringify(key)} is ${words}`, {
      flowId: flow.flowId,
      flowName: flow.name,
      field: 'globals',
    });
  };
  return Object.fromEntries(
    [...globals, ...(flow.graph.globals ?? [])].map(({ key, json }) => {
      let value: unknown;
      try {
        value = JSON.parse(json);
      } catch {
        refuse(key, 'not valid JSON');
      }
      if (isTooDeep(value)) refuse(key, `nested more than ${MAX_JSON_DEPTH} levels deep`);
      return [key, value];
    }),
  );
}
