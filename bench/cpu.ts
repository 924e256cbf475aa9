import { readdirSync, readFileSync } from 'node:fs';

/**
 * A tick of the counters in `/proc`: Linux reports hundredths of a second to programs, whatever the rate of its own
 * clock.
 */
const TICK_MICROS = 10_000;

/** Whether the operating system reports the CPU usage of processes. */
export const cpuIsKnown = process.platform === 'linux';

/**
 * Returns the CPU time, in microseconds of user and kernel mode, of a process and its children, including children that
 * have ended. Returns `undefined` if the operating system does not report it.
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
    // A child that ends between the two reads may be counted in both or in neither.
    if (statOf(pid)?.usedByEnded === own.usedByEnded)
      return (own.used + own.usedByEnded + running) * TICK_MICROS;
  }
}

interface Stat {
  parent: number;
  /** Ticks of the process itself and of its ended children. */
  used: number;
  usedByEnded: number;
}

/**
 * Parses `/proc/PID/stat`; returns `undefined` if the process has ended. The name, in parentheses, can contain any
 * character.
 */
function statOf(pid: number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // After the name come the state and the parent; fields 12 onward are utime, stime, and the same two of ended
  // children.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { parent: fields[1]!, used: fields[11]! + fields[12]!, usedByEnded: fields[13]! + fields[14]! };
}
