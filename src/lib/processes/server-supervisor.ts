import { setTimeout as sleep } from 'node:timers/promises';
import { onFreePort, type RunningServer, type ServerLog } from './server-process.js';

const MIN_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 30_000;
/** Maximum number of starts; the pauses between them add up to about two minutes. */
const MAX_STARTS = 10;
/** Uptime in milliseconds after which the failure counter is reset. */
const STABLE_AFTER_MS = 10_000;
/** Retried without limit: space may become available, and retrying has no cost. */
const FULL_DISK = /no space left on device|disk full|ENOSPC/i;

/** A server that this process started for itself. */
export interface PrivateServer {
  /** `false` from the end of the server until it is ready again. */
  readonly isRunning: boolean;
}

/** A server that is restarted if it ends unexpectedly. */
export interface SupervisedServer extends PrivateServer {
  /** Shuts the server down gracefully, or cancels its start. */
  stop(): Promise<void>;
}

/** Injection token of the servers that this process started for itself. */
export const PRIVATE_SERVERS = Symbol('private servers');

/**
 * Starts a server and restarts it with growing pauses if it ends unexpectedly: without limit while the disk is full,
 * otherwise up to ten times. Afterwards `lost` receives an error with a message for the operator. Rejects if the first
 * start fails.
 */
export async function superviseServer(options: {
  name: string;
  log: ServerLog;
  /** Must end the started process when `signal` is aborted. */
  start: (signal: AbortSignal) => Promise<RunningServer>;
  lost: (error: Error) => void;
  firstPauseMs?: number;
}): Promise<SupervisedServer> {
  const { name, log, firstPauseMs = MIN_BACKOFF_MS } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let server: RunningServer | undefined = await options.start(signal);
  let starts = 0;

  const again = async (words: string): Promise<void> => {
    log.error(`${name} exited unexpectedly and is being restarted. Last output: ${words}`);
    for (let last = words; !signal.aborted;) {
      if (starts === MAX_STARTS)
        return options.lost(new Error(`${name} exited and cannot be restarted. Last output: ${last}`));
      await sleep(Math.min(firstPauseMs * 2 ** starts, MAX_BACKOFF_MS), undefined, { signal });
      starts++;
      try {
        server = await options.start(signal);
        log.warn(`${name} is running again.`);
        return;
      } catch (error) {
        last = (error as Error).message;
        if (FULL_DISK.test(last)) starts = Math.min(starts, MAX_STARTS - 1);
        log.error(last);
      }
    }
  };
  const watch = async (): Promise<void> => {
    while (server && !signal.aborted) {
      const since = Date.now();
      const words = await server.ended;
      server = undefined;
      if (Date.now() - since > STABLE_AFTER_MS) starts = 0;
      if (!signal.aborted) await again(words).catch(() => undefined);
    }
  };
  const watching = watch();
  return {
    get isRunning() {
      return server !== undefined;
    },
    async stop() {
      stopping.abort();
      await server?.stop();
      await watching;
    },
  };
}

/** Works like `superviseServer`, on a loopback port that is free at the first start and then stays the same. */
export function superviseServerOnFreePort(options: {
  name: string;
  log: ServerLog;
  start: (port: number, signal: AbortSignal) => Promise<RunningServer>;
  lost?: (error: Error) => void;
}): Promise<{ server: SupervisedServer; port: number }> {
  const { name, log, start, lost = ({ message }) => log.error(message) } = options;
  return onFreePort(async (port) => ({
    server: await superviseServer({ name, log, lost, start: (signal) => start(port, signal) }),
    port,
  }));
}
