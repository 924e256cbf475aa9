import type { FlowClass, FlowNode } from '../graph/graph.js';
import type { Compiled } from '../language/compile.js';
import type { Setting } from '../nodes/settings.js';
import type { Payload } from './payload.js';
import type { DebugLevel, Ports } from './ports.js';
import type { Program } from './program.js';

/**
 * Number of the output by which a path continues, or `undefined` for the only one. A step that ends its path returns
 * `END`.
 */
export type Outcome = number | undefined;

/** Outcome of a step that ends its path although it may have outputs. */
export const END = -1;

/**
 * One execution of a node on one path. Changes the payload and returns the output. Returns a promise only if it must
 * wait, because each promise costs a run more than most nodes do. Throws a `RunFault` to end the run.
 */
export type Step = (path: RunPath) => Outcome | Promise<Outcome>;

/** How the engine runs a node type: `nodes/<kind>/run.ts`. */
export interface NodeRun<C extends object = object> {
  /**
   * Reads `config`, also when a workflow is saved. Absent if any configuration is accepted; `prepare` then receives it
   * as it is.
   */
  readonly settings?: Setting<C>;
  /** Prepares a node once per version of a workflow. The engine calls it through `prepareNode`. */
  prepare(config: C, node: FlowNode): Step;
}

/** What a step sees of the path that it is on. */
export interface RunPath {
  readonly payload: Payload;
  readonly run: Run;
  /** ID of this execution of the node: the same if the run is repeated after a crash. Makes effects idempotent. */
  readonly effectId: string;
  /** Returns an ID like `effectId` for one of several effects of this execution, another one with each call. */
  nextEffectId(): string;
  /** Sends a debug message to those who watch the workflow; costs nothing if nobody does. */
  debug(message: () => DebugOutput): void;
  readonly control: Control;
}

/** How loops and custom nodes, and the nodes that end them, direct a run. */
export interface Control {
  /**
   * Runs output 1 of this node until all of its paths have ended. Returns the cap that was reached first, or
   * `undefined`. Throws, or rejects with, the failure of a path; pass it on, because it names the failed node.
   */
  round(payload: Payload, index: number): Cap | undefined | Promise<Cap | undefined>;
  /** Ends the round that the path belongs to, if it is the first cap of the round. */
  endRound(cap: Cap): void;
  /**
   * Runs a custom node until it reaches a cap, or until all of its paths have ended. Returns the cap, or `undefined`.
   * Other paths of the custom node go on, as part of the run. Throws a `RunFault` for recursion.
   */
  call(program: Program, payload: Payload): Cap | undefined | Promise<Cap | undefined>;
  /** Ends the call of the custom node that the path belongs to, if it is the first cap of the call. */
  endCall(cap: Cap): void;
}

/** End of a round of a loop, or of a call of a custom node. */
export interface Cap {
  readonly payload: Payload;
  /** 1 if a loop ends with this round; output at which the caller of a custom node continues. */
  readonly branch: number;
  /** Reads the result from `payload`; a loop has a default. */
  readonly result: Compiled<unknown> | undefined;
}

/** Content of a debug message. `payload` must be plain data and is not changed. */
export interface DebugOutput {
  readonly level: DebugLevel;
  readonly message: string;
  readonly payload: unknown;
}

/** Facts of a run that hold for all of its paths. */
export interface Run {
  readonly id: string;
  readonly applicationId: string;
  readonly flowId: string;
  /** `null` for the development version. */
  readonly flowVersionId: string | null;
  readonly flowClass: FlowClass;
  /** Device of the trigger, if any. */
  readonly deviceId?: string | undefined;
  /** Network of the client whose request started the run, if it was one to an experience. */
  readonly network?: string | undefined;
  /** Aborted when the run may not go on: its time is up, or another path has failed. */
  readonly signal: AbortSignal;
  readonly ports: Ports;
}
