import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, type Child } from './processes.js';

/** Returns the resident memory of a process in MiB. Only Linux reports this for other processes. */
export async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s*(\d+)/.exec(status)![1]) / 1024;
}

/** Duration of the work and peak resident memory in MiB. */
export interface Measured {
  seconds: number;
  peak: number;
}

/** Runs the work while sampling the memory of a process. */
export async function measured(pid: number, work: () => Promise<void>): Promise<Measured> {
  let peak = await residentOf(pid);
  let isDone = false;
  const sampling = (async () => {
    while (!isDone) {
      peak = Math.max(peak, await residentOf(pid));
      await delay(50);
    }
  })();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  isDone = true;
  await sampling;
  return { seconds, peak };
}

/** Memory of a process in bytes: of its objects and buffers, and of all that is resident. */
export interface Memory {
  readonly used: number;
  readonly resident: number;
}

/** Flags of a server whose memory `memoryOf` measures. */
export const MEASURABLE = ['--expose-gc', '--import', join(import.meta.dirname, 'collect.js')];

/** Collects the garbage of a server and returns the memory that is left. */
export async function memoryOf(child: Child): Promise<Memory> {
  child.send('collect');
  return messageOf<Memory>(child);
}
