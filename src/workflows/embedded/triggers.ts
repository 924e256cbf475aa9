import type { FlowTrigger } from '../graph/graph.js';
import { CompileError, type CompileFault } from './bundle.js';

/** Returns the period of a timer in milliseconds, which must fit in 64 bits. */
export function periodOf({ config }: FlowTrigger, fault: CompileFault): number {
  const seconds = Number(config?.seconds);
  if (config?.seconds === undefined || !(seconds > 0))
    throw new CompileError(
      'timers of devices must have a period in seconds; cron expressions are not supported',
      {
        ...fault,
        field: 'config.seconds',
      },
    );
  return Math.min(Math.max(1, Math.round(seconds * 1000)), Number.MAX_SAFE_INTEGER);
}
