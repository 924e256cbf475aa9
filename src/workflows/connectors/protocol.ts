import type { ConnectorCall } from '../engine/ports.js';

/** What a process of connectors receives at its start. */
export interface ProcessOptions {
  /** Private servers that may be reached, as `host:port`. */
  allowed: readonly string[];
  /** Maximum memory of the process in MiB. */
  memoryMb: number;
}

/** A call for the process. */
export interface Work extends ConnectorCall {
  readonly id: number;
  readonly applicationId: string;
}

/** Message to the process: a call, or the ID of a call whose result nobody wants any more. */
export type ToProcess = Work | { cancelled: number };

/** Result of a call, or why it failed. */
export type Outcome = { result: unknown } | { fault: { name: string; message: string } };

/** Message of the process: the outcome of a call. */
export type Answer = Outcome & { id: number };
