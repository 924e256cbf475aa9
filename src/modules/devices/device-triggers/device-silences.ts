import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { TIMER } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import { textOf } from '../../../workflows/runs/run-trigger.js';
import { DeviceSilencesRepository, type Silence } from './device-silences.repository.js';

/** Longest pause between looks for silences that have lasted long enough. A new silence lasts at least as long. */
const INTERVAL_MS = 1_000;

/** Runs the workflows that wait for devices to stop reporting, once for each silence. Runs in every worker. */
@Injectable()
export class DeviceSilences extends PeriodicTask {
  constructor(
    private readonly silences: DeviceSilencesRepository,
    private readonly firings: Firings,
    private readonly database: Database,
  ) {
    super(INTERVAL_MS, 'Could not run the workflows for inactive devices');
  }

  protected override async runBatch(): Promise<boolean | Date> {
    const now = new Date();
    const next = await this.silences.nextDue(new Date(now.getTime() + INTERVAL_MS));
    if (next === undefined) return false;
    return next > now ? next : (await this.fireDue(now)) || next;
  }

  /** Fires the triggers of silences that are due. Returns whether there were any that no other worker processes. */
  private fireDue(now: Date): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const silences = await this.silences.take(now, transaction);
      const current = silences.filter(({ isCurrent }) => isCurrent);
      await this.firings.fire(TIMER, current.map(firingOf), transaction);
      return silences.length > 0;
    });
  }
}

const firingOf = ({
  applicationId,
  deviceId,
  flowId,
  flowVersionId,
  type,
  key,
  seconds,
  heardAt,
}: Silence) => ({
  applicationId,
  deviceId,
  triggers: [{ type, key, flowId, flowVersionId }],
  items: [
    {
      given: textOf({
        sourceId: `inactivity-${deviceId}-${seconds}`,
        sourceType: 'timer',
        data: { inactivitySeconds: seconds, lastActivity: heardAt },
      }),
      channel: 'timer.flow' as const,
      bytes: 0,
    },
  ],
});
