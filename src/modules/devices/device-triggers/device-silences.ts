import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DueTask } from '../../../platform/database/due-task.js';
import { TIMER } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import { textOf } from '../../../workflows/runs/run-trigger.js';
import { DeviceSilencesRepository, type Silence } from './device-silences.repository.js';

/** Runs the workflows that wait for devices to stop reporting, once for each silence. */
@Injectable()
export class DeviceSilences extends DueTask {
  constructor(
    private readonly silences: DeviceSilencesRepository,
    private readonly firings: Firings,
    database: Database,
  ) {
    super(database, 'device_silences', 'Could not run the workflows for inactive devices');
  }

  protected override async processDue(now: Date, transaction: Transaction): Promise<boolean> {
    const silences = await this.silences.take(now, transaction);
    const current = silences.filter(({ isCurrent }) => isCurrent);
    await this.firings.fire(TIMER, current.map(firingOf), transaction);
    return silences.length > 0;
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
