import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DueTask } from '../../../platform/database/due-task.js';
import { VIRTUAL_BUTTON } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import { textOf } from '../../../workflows/runs/run-trigger.js';
import { ownPayload } from '../flow-runs/virtual-button.columns.js';
import { ScheduledPressesRepository, type DuePress } from './scheduled-presses.repository.js';

/** Presses virtual buttons at the times that workflows have scheduled. A button that no longer exists is not pressed. */
@Injectable()
export class DuePresses extends DueTask {
  constructor(
    private readonly presses: ScheduledPressesRepository,
    private readonly firings: Firings,
    database: Database,
  ) {
    super(database, 'scheduled_presses', 'Could not press the buttons that workflows have scheduled');
  }

  protected override async processDue(now: Date, transaction: Transaction): Promise<boolean> {
    const due = await this.presses.take(now, transaction);
    await this.firings.fire(VIRTUAL_BUTTON, due.filter(({ canRun }) => canRun).map(firingOf), transaction);
    return due.length > 0;
  }
}

function firingOf({ applicationId, byFlowId, flowId, flowVersionId, key, ...press }: DuePress) {
  const data = press.payload === '' ? ownPayload(press.ownPayload) : (JSON.parse(press.payload) as unknown);
  const trigger = { data, sourceId: byFlowId, sourceType: 'flow' };
  return {
    applicationId,
    triggers: [{ type: 'virtualButton', key, flowId, flowVersionId }],
    items: [{ given: textOf(trigger), channel: 'flow.flow', bytes: Buffer.byteLength(JSON.stringify(data)) }],
  } as const;
}
