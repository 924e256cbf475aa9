import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import * as causes from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import { textOf } from '../../../workflows/runs/run-trigger.js';
import { nextTime, type TimerSpec } from '../../../workflows/triggers/timer-times.js';
import { FlowSchedulesRepository, type DueSchedule } from './flow-schedules.repository.js';

/** Longest pause between looks for timers that are due. It delays the first time of a new timer, if that is earlier. */
const INTERVAL_MS = 1_000;
/** Delay after which the time of an interval has been missed. A calendar fires once for all times that it missed. */
const GRACE_MS = 60_000;

/**
 * Fires the timers of workflows. Runs in every worker, which sleeps until the next timer is due; each time is fired by
 * one of them.
 */
@Injectable()
export class Timers extends PeriodicTask {
  private readonly item = { given: textOf({ data: {} }), channel: 'timer.flow', bytes: 0 } as const;

  constructor(
    private readonly schedules: FlowSchedulesRepository,
    private readonly firings: Firings,
    private readonly database: Database,
  ) {
    super(INTERVAL_MS, 'Could not fire the timers of workflows');
  }

  protected override async runBatch(): Promise<boolean | Date> {
    const now = new Date();
    const next = await this.schedules.nextDue(new Date(now.getTime() + INTERVAL_MS));
    if (next === undefined) return false;
    return next > now ? next : (await this.fireDue(now)) || next;
  }

  /** Fires the timers that are due. Returns whether there were any that no other worker processes. */
  private fireDue(now: Date): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const due = await this.schedules.take(now, transaction);
      if (due.length === 0) return false;
      const moved = due.map((one) => ({ due: one, next: earliestOf(one, now) }));
      await this.schedules.move(moved, transaction);
      const fired = due.filter((one) => fires(one, now));
      await this.firings.fire(
        causes.TIMER,
        fired.map(({ applicationId, flowId, flowVersionId, key }) => ({
          applicationId,
          triggers: [{ type: 'timer', key, flowId, flowVersionId }],
          items: [this.item],
        })),
        transaction,
      );
      return true;
    });
  }
}

const isCalendar = ({ cron }: TimerSpec) => Boolean(cron?.trim());

const fires = ({ isNew, dueAt, specs }: DueSchedule, now: Date): boolean =>
  !isNew && (now.getTime() - dueAt.getTime() <= GRACE_MS || specs.some(isCalendar));

/** The times of a new schedule count from its creation, although a worker finds it later. */
function earliestOf({ specs, isNew, dueAt }: DueSchedule, now: Date): Date | undefined {
  const times = specs.flatMap((spec) => nextTime(spec, isNew ? dueAt : now, dueAt) ?? []);
  return times.sort((one, other) => one.getTime() - other.getTime())[0];
}
