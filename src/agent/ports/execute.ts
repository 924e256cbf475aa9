import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EdgeCommand, EdgeCommandResult } from '../../workflows/engine/edge-port.js';
import { MAX_PAYLOAD_BYTES } from '../../workflows/engine/limits.js';

const TIMEOUT_MS = 30_000;
/** Time in which a detached command that fails is reported. */
const DETACHED_MS = 1_000;
/** Output that is kept, on each of the two channels. */
const MAX_OUTPUT = MAX_PAYLOAD_BYTES / 2;

/**
 * Executes a command in the shell, for at most 30 seconds unless it is detached. Ends it with all of its processes if the
 * run ends, its time is up, or its output is too large.
 */
export async function executeCommand(
  { command, directory, variables, encoding, isDetached }: EdgeCommand,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<EdgeCommandResult> {
  const child = spawn(command, {
    shell: true,
    cwd: directory,
    env: { ...environment, ...variables },
    // A group of its own, so that all processes of the command can be ended.
    detached: true,
    stdio: isDetached ? 'ignore' : ['ignore', 'pipe', 'pipe'],
  });
  return isDetached ? detachedResult(child) : attachedResult(child, encoding, signal);
}

async function detachedResult(child: ChildProcess): Promise<EdgeCommandResult> {
  child.unref();
  const timer = new AbortController();
  try {
    return await Promise.race([endOf(child), sleep(DETACHED_MS, {}, { signal: timer.signal, ref: false })]);
  } finally {
    timer.abort();
  }
}

async function attachedResult(
  child: ChildProcess,
  encoding: BufferEncoding,
  signal: AbortSignal,
): Promise<EdgeCommandResult> {
  let reason: string | undefined;
  const stop = (why: string): void => {
    reason ??= why;
    endGroup(child);
  };
  const abort = (): void => stop('The run has ended');
  const timer = setTimeout(
    () => stop(`The command took longer than ${TIMEOUT_MS / 1_000} seconds`),
    TIMEOUT_MS,
  );
  signal.addEventListener('abort', abort, { once: true });
  try {
    const outputs = [child.stdout!, child.stderr!].map((stream) => {
      const chunks: Buffer[] = [];
      let size = 0;
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_OUTPUT) stop(`The output of the command has more than ${MAX_OUTPUT} bytes`);
        else chunks.push(chunk);
      });
      return chunks;
    });
    const { error, ...end } = await endOf(child, 'close');
    const [stdout, stderr] = outputs.map((chunks) => Buffer.concat(chunks).toString(encoding));
    const message = reason ?? error ?? (end.exitCode === 0 ? undefined : `Command failed${codeOf(end)}`);
    return { stdout, stderr, ...end, ...(message === undefined ? {} : { error: message }) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** Resolves with code and signal when a process has ended, or with the error if it could not be started. */
async function endOf(child: ChildProcess, event: 'close' | 'exit' = 'exit'): Promise<EdgeCommandResult> {
  try {
    const [exitCode, signal] = (await once(child, event)) as [number | null, string | null];
    return { exitCode, signal };
  } catch (error) {
    return { exitCode: null, signal: null, error: (error as Error).message };
  }
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}

const codeOf = ({ exitCode, signal }: EdgeCommandResult): string =>
  signal ? ` with the signal ${signal}` : ` with the code ${exitCode}`;
