import type { FlowTrigger } from '../graph/graph.js';
import { CompileError, type CompileFault } from './bundle.js';

/** Types of triggers, indexed by the runtime's numbers. */
const KINDS: readonly string[] = ['timer', 'virtualButton', 'deviceCommand', 'mqttTopic', 'direct', 'onBoot'];

/** Returns the runtime's number of a trigger type. */
export function triggerKind(type: string): number | undefined {
  const kind = KINDS.indexOf(type);
  return kind < 0 ? undefined : kind;
}

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
