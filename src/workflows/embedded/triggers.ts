import type { FlowTrigger } from '../graph/graph.js';
import { CompileError, type CompileFault } from './bundle.js';

/** The triggers of devices, in the order in which the runtime numbers them. */
const KINDS: readonly string[] = ['timer', 'virtualButton', 'deviceCommand', 'mqttTopic', 'direct', 'onBoot'];

/** The runtime's number of a type of trigger. */
export function triggerKind(type: string): number | undefined {
  const kind = KINDS.indexOf(type);
  return kind < 0 ? undefined : kind;
}

/** Milliseconds between firings of a timer, of which 64 bits must be able to tell. */
export function periodOf({ config }: FlowTrigger, fault: CompileFault): number {
  const seconds = Number(config?.seconds);
  if (config?.seconds === undefined || !(seconds > 0))
    throw new CompileError('devices need the seconds between firings, they know no calendar', {
      ...fault,
      field: 'config.seconds',
    });
  return Math.min(Math.max(1, Math.round(seconds * 1000)), Number.MAX_SAFE_INTEGER);
}
