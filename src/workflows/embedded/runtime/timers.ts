import { TRIGGERS } from './bundle';
import { Trigger, TriggerKind, triggers } from './triggers';

const NEVER: i64 = i64.MIN_VALUE;

/** Last tick at which each timer fired, on the clock of `eea_loop`. */
const fired = new StaticArray<i64>(TRIGGERS);

/** Makes all timers due at the next tick. */
export function resetTimers(): void {
  fired.fill(NEVER);
}

/**
 * Returns the timer that is most overdue and restarts it. Missed periods are not made up for. If the clock is set back,
 * all periods restart.
 */
export function dueTimer(now: i64): Trigger | null {
  let due: Trigger | null = null;
  let longest: i64 = -1;
  for (let i = 0; i < TRIGGERS; i++) {
    const trigger = triggers[i];
    if (trigger.kind != TriggerKind.Timer) continue;
    if (fired[i] > now) fired[i] = now;
    const over: i64 = fired[i] == NEVER ? i64.MAX_VALUE : now - fired[i] - trigger.period;
    if (over <= longest) continue;
    longest = over;
    due = trigger;
  }
  if (due !== null) fired[due.index] = now;
  return due;
}
