import type { ConnectorName } from '../engine/ports.js';

/** What a process of connectors receives at its start. */
export interface ProcessOptions {
  /** Private servers that may be reached, as `host:port`. */
  allowed: readonly string[];
  /** Maximum memory of the process in MiB. */
  memoryMb: number;
}

/** A call for the process. */
export interface Work {
  id: number;
  connector: ConnectorName;
  /** Connections are shared only by calls with the same application and server. */
  applicationId: string;
  /** How to connect, including secrets. */
  server: object;
  request: object;
  timeoutMs: number;
}

/** Message to the process: a call, or the ID of a call whose result nobody wants any more. */
export type ToProcess = Work | { cancelled: number };

/** Result of a call, or why it failed. */
export type Answer = { id: number } & ({ result: unknown } | { fault: { name: string; message: string } });
