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
  for (;;) {
    const own = statOf(pid);
    if (!own) return undefined;
    const running = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => statOf(Number(name)))
      .filter((stat) => stat?.parent === pid)
      .reduce((sum, child) => sum + child!.used, 0);
    // A child that ended meanwhile may be among both or neither.
    if (statOf(pid)?.usedByEnded === own.usedByEnded)
      return (own.used + own.usedByEnded + running) * TICK_MICROS;
  }
}

interface Stat {
  parent: number;
  /** Ticks of its own, and of its children that have ended. */
  used: number;
  usedByEnded: number;
}

/** Fields of `/proc/PID/stat`; nothing of a process that has ended. The name, in brackets, may hold anything. */
function statOf(pid: number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The name is followed by the state, the parent, and from the twelfth on utime, stime, and both of ended children.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { parent: fields[1]!, used: fields[11]! + fields[12]!, usedByEnded: fields[13]! + fields[14]! };
}
