import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DueTask } from '../../../platform/database/due-task.js';
import { VIRTUAL_BUTTON } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import { textOf } from '../../../workflows/runs/run-trigger.js';
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

function firingOf({ applicationId, byFlowId, flowId, flowVersionId, key, payload }: DuePress) {
  const trigger = { data: JSON.parse(payload) as unknown, sourceId: byFlowId, sourceType: 'flow' };
  return {
    applicationId,
    triggers: [{ type: 'virtualButton', key, flowId, flowVersionId }],
    items: [{ given: textOf(trigger), channel: 'flow.flow', bytes: Buffer.byteLength(payload) }],
  } as const;
}
