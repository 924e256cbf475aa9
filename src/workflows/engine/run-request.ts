import type { DebugMessage } from './debug-message.js';
import type { PathError, RunFailure } from './failure.js';
import type { Ports } from './ports.js';
import type { Program, ProgramTrigger } from './program.js';
import type { Trace } from './trace.js';

/** What to run. */
export interface RunRequest {
  /** The same if the run is repeated after a crash. */
  readonly id: string;
  readonly program: Program;
  /** Triggers of the program that have fired. */
  readonly triggers: readonly ProgramTrigger[];
  /** Made by `rootPayload`. Is not changed. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly deviceId?: string;
  /** Network of the client whose request started the run. */
  readonly network?: string;
  readonly ports: Ports;
  /** Receives debug messages. Absent if nobody watches the workflow. */
  readonly debug?: (message: DebugMessage) => void;
  /** Whether the outcome has a trace. */
  readonly isTraced?: boolean;
  /** Milliseconds; defaults to those of the cloud. */
  readonly timeLimit?: number;
  /** Calls back when the run may go on after a slice. Defaults to the next turn of the event loop. */
  readonly nextTurn?: (goOn: () => void) => void;
}

export interface RunOutcome {
  /** Paths that reached their end. Those inside loops and custom nodes are part of the path around them. */
  readonly pathsCompleted: number;
  readonly pathsFailed: number;
  /** Milliseconds. */
  readonly wallTime: number;
  /** Processor time of this thread, in milliseconds with fractions. */
  readonly busyTime: number;
  readonly errors: readonly PathError[];
  /** Present if the run has failed; triggers of errors fire with it. */
  readonly failure?: RunFailure;
  /** Error of the platform behind the failure, to be logged. */
  readonly internalError?: Error;
  /** Present if it was requested. */
  readonly trace?: Trace | undefined;
}
