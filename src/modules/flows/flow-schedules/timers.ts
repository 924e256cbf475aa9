import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DueTask } from '../../../platform/database/due-task.js';
import { TIMER } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import { textOf } from '../../../workflows/runs/run-trigger.js';
import { nextTime, type TimerSpec } from '../../../workflows/triggers/timer-times.js';
import { FlowSchedulesRepository, type DueSchedule } from './flow-schedules.repository.js';

/** Delay after which the time of an interval has been missed. A calendar fires once for all times that it missed. */
const GRACE_MS = 60_000;

/** Fires the timers of workflows. */
@Injectable()
export class Timers extends DueTask {
  private readonly item = { given: textOf({ data: {} }), channel: 'timer.flow', bytes: 0 } as const;

  constructor(
    private readonly schedules: FlowSchedulesRepository,
    private readonly firings: Firings,
    database: Database,
  ) {
    super(database, 'flow_schedules', 'Could not fire the timers of workflows');
  }

  protected override async processDue(now: Date, transaction: Transaction): Promise<boolean> {
    const due = await this.schedules.take(now, transaction);
    if (due.length === 0) return false;
    const moved = due.map((one) => ({ due: one, next: earliestOf(one, now) }));
    await this.schedules.move(moved, transaction);
    const fired = due.filter((one) => fires(one, now));
    await this.firings.fire(
      TIMER,
      fired.map(({ applicationId, flowId, flowVersionId, key }) => ({
        applicationId,
        triggers: [{ type: 'timer', key, flowId, flowVersionId }],
        items: [this.item],
      })),
      transaction,
    );
    return true;
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
