import { readdirSync, readFileSync } from 'node:fs';

/** A tick of the counters in `/proc`: Linux tells programs a hundredth of a second, whatever its own clock does. */
const TICK_MICROS = 10_000;

/** Whether the operating system tells what processes have used. */
export const cpuIsKnown = process.platform === 'linux';

/**
 * Microseconds of CPU, in user and kernel mode, that a process and its children have used, those that ended among them.
 * Nothing where the operating system does not tell.
 */
export function cpuOf(pid: number): number | undefined {
  if (!cpuIsKnown) return undefined;
  const own = statOf(pid);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === pid);
  return [own, ...children].reduce((sum, stat) => sum + (stat?.ticks ?? 0), 0) * TICK_MICROS;
}

/** Fields of `/proc/PID/stat`; nothing of a process that has ended. The name, in brackets, may hold anything. */
function statOf(pid: number): { parent: number; ticks: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // After the name come the state, the parent, and from the twelfth on utime, stime, and both of ended children.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), ticks };
}
