import {
  MIN_EDGE_SECONDS,
  nextTime,
  timerSpecOf,
  type TimerSpec,
} from '../../workflows/triggers/timer-times.js';
import type { Driver, Stop } from './driver.js';

/** Time after which a timer with a calendar looks at the clock again, which may have been set. */
const MAX_WAIT_MS = 60_000;

/** Fires at an interval of at least 0.1 seconds, or at the times of a calendar. Missed times are not made up for. */
export const timer: Driver = ({ config, fire }) => {
  const spec = timerSpecOf(config);
  const tick = (): void => fire({});
  return spec.cron?.trim() ? calendar(spec, tick) : interval(spec, tick);
};

/** Uses no clock that can be set: gateways often start with a wrong time. */
function interval({ seconds }: TimerSpec, tick: () => void): Stop {
  if (seconds === undefined) return () => undefined;
  const ms = Math.max(MIN_EDGE_SECONDS, seconds) * 1_000;
  let due = performance.now() + ms;
  let waiting: NodeJS.Timeout;
  const wait = (): void => {
    const rest = due - performance.now();
    waiting = setTimeout(
      () => {
        if (performance.now() < due) return wait();
        due += Math.max(1, Math.floor((performance.now() - due) / ms) + 1) * ms;
        wait();
        tick();
      },
      Math.min(rest, MAX_WAIT_MS),
    );
  };
  wait();
  return () => clearTimeout(waiting);
}

function calendar(spec: TimerSpec, tick: () => void): Stop {
  let waiting: NodeJS.Timeout | undefined;
  const wait = (due: Date | undefined): void => {
    if (!due) return;
    waiting = setTimeout(
      () => {
        const now = new Date();
        if (now < due) return wait(due);
        wait(nextTime(spec, now, due));
        tick();
      },
      Math.min(Math.max(0, due.getTime() - Date.now()), MAX_WAIT_MS),
    );
  };
  wait(nextTime(spec, new Date()));
  return () => clearTimeout(waiting);
}
