import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** The memory of a process that is resident, in MiB. Linux alone tells of others'. */
export async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s*(\d+)/.exec(status)![1]) / 1024;
}

/** How long something took, and the most memory that was resident meanwhile, in MiB. */
export interface Measured {
  seconds: number;
  peak: number;
}

/** Does something, and looks at the memory of a process meanwhile. */
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
