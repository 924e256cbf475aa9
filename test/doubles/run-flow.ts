import { compileProgram, type FlowSource } from '../../src/workflows/engine/compile-program.js';
import type { DebugMessage } from '../../src/workflows/engine/debug-message.js';
import { execute } from '../../src/workflows/engine/execution.js';
import type { RunOutcome, RunRequest } from '../../src/workflows/engine/run-request.js';
import type { RunPath } from '../../src/workflows/engine/node-run.js';
import type { Ports } from '../../src/workflows/engine/ports.js';
import { triggersOf, type Program } from '../../src/workflows/engine/program.js';
import { rootPayload } from '../../src/workflows/engine/root-payload.js';
import type { FlowGlobal, FlowNode } from '../../src/workflows/graph/graph.js';

const FACTS = {
  applicationId: 'a'.repeat(24),
  applicationName: 'Pumps',
  flowId: 'f'.repeat(24),
  flowName: 'Alarm',
  flowVersionId: null,
  flowVersion: 'develop',
  flowClass: 'cloud',
  outerGlobals: [],
} as const satisfies Partial<FlowSource>;

/** A `Step` of a test; one that returns nothing continues at output 0. */
export type TestStep = (path: RunPath) => unknown;

/** Steps by the IDs of nodes, instead of those of their types. */
export type Steps = Readonly<Record<string, TestStep>>;

/** Returns a node whose outputs lead to the given nodes. */
export const node = (
  id: string,
  type: string,
  config: object,
  outputIds: string[][] = [],
  groupId?: string,
): FlowNode => ({
  id,
  type,
  config: config as FlowNode['config'],
  outputIds,
  ...(groupId === undefined ? {} : { meta: { groupId } }),
});

/** Returns a node that a step of the test executes. */
export const probe = (id: string, outputIds: string[][] = [], groupId?: string): FlowNode =>
  node(id, 'Probe', {}, outputIds, groupId);

export interface ProgramOptions {
  readonly steps?: Steps;
  /** First nodes. */
  readonly first?: readonly string[];
  readonly globals?: readonly FlowGlobal[];
  readonly facts?: Partial<FlowSource>;
  readonly customNode?: FlowSource['graph']['customNodeConfig'];
}

const CUSTOM_NODE = { type: 'customNodeStart', key: 'customNodeStart' };
const BUTTON = { type: 'virtualButton', key: 'button', meta: { uiId: 'ui' } };

/** Compiles a workflow with one trigger. */
export function programOf(nodes: readonly FlowNode[], options: ProgramOptions = {}): Program {
  const {
    steps = {},
    first = nodes.slice(0, 1).map(({ id }) => id!),
    globals = [],
    facts,
    customNode,
  } = options;
  const trigger = { ...(customNode ? CUSTOM_NODE : BUTTON), outputIds: [first] };
  const graph = {
    triggers: [trigger],
    nodes,
    globals,
    ...(customNode ? { customNodeConfig: customNode } : {}),
  };
  const program = compileProgram({ ...FACTS, ...facts, graph });
  for (const at of program.nodes) if (Object.hasOwn(steps, at.id)) Object.assign(at, { step: steps[at.id] });
  return program;
}

export interface FlowResult extends RunOutcome {
  readonly messages: readonly DebugMessage[];
}

export type FlowOptions = ProgramOptions &
  Partial<Pick<RunRequest, 'id' | 'timeLimit' | 'isTraced'>> & {
    readonly data?: unknown;
    readonly ports?: Partial<Ports>;
  };

/** Runs a program. */
export async function runProgram(program: Program, options: FlowOptions = {}): Promise<FlowResult> {
  const { data = {}, ports = {}, id = 'run', timeLimit, isTraced = false } = options;
  const messages: DebugMessage[] = [];
  const outcome = await execute({
    id,
    program,
    triggers: triggersOf(program, BUTTON.type, BUTTON.key),
    payload: rootPayload(program, {
      time: new Date(0),
      triggerType: BUTTON.type,
      triggerId: BUTTON.key,
      data,
    }),
    ports: ports as Ports,
    debug: (message) => messages.push(message),
    isTraced,
    ...(timeLimit === undefined ? {} : { timeLimit }),
  });
  return { ...outcome, messages };
}

/** Compiles and runs a workflow. */
export const runFlow = (nodes: readonly FlowNode[], options: FlowOptions = {}): Promise<FlowResult> =>
  runProgram(programOf(nodes, options), options);

/** Returns a promise that the test settles. */
export function pending<T>(): Deferred<T> {
  let deferred: Omit<Deferred<T>, 'promise'>;
  const promise = new Promise<T>((resolve, reject) => {
    deferred = { resolve, reject };
  });
  return { promise, ...deferred! };
}

export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}
