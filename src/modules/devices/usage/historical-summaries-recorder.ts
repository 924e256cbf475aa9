import { Injectable } from '@nestjs/common';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { HistoricalSummariesRepository } from './historical-summaries.repository.js';
import { HistoricalSummariesService } from './historical-summaries.service.js';
import type { UsedResourceType } from './used-resources.columns.js';
import { DAY_MS, periodStart } from './usage-window.js';

const INTERVAL_MS = 5 * 60_000;
const BATCH = 200;
/**
 * Maximum delay in storing a month: within a few days, current counts are those of the end of the month. Later they
 * would be wrong.
 */
const MAX_DELAY_MS = 7 * DAY_MS;
const TYPES: readonly UsedResourceType[] = ['whitelabel', 'organization', 'application'];

/**
 * Stores the summaries of each month after its end. Workers process resources in order of ID, starting after those
 * already stored; if several run concurrently, only one has an effect.
 */
@Injectable()
export class HistoricalSummariesRecorder extends PeriodicTask {
  constructor(
    private readonly rows: HistoricalSummariesRepository,
    private readonly summaries: HistoricalSummariesService,
  ) {
    super(INTERVAL_MS, 'Could not store the summaries of the last month');
  }

  /** Stores the summaries of the last month that ended before `now`. */
  async record(now: Date): Promise<void> {
    const end = periodStart(now);
    if (now.getTime() - end.getTime() > MAX_DELAY_MS) return;
    const start = periodStart(new Date(end.getTime() - 1));
    for (const instanceId of await this.rows.instances())
      for (const type of TYPES) await this.recordType(instanceId, type, { start, end });
  }

  protected override async runBatch(): Promise<boolean> {
    await this.record(new Date());
    return false;
  }

  private async recordType(
    instanceId: string,
    type: UsedResourceType,
    month: { start: Date; end: Date },
  ): Promise<void> {
    let after = (await this.rows.lastStored(instanceId, month.start, type)) ?? '';
    const before = firstIdAt(month.end);
    while (!this.stopped) {
      const used = await this.rows.used(instanceId, type, { after, before, most: BATCH });
      if (used.length === 0) return;
      await this.rows.store(instanceId, month.start, await this.summaries.summariesOf(used, month));
      after = used.at(-1)!.id;
    }
  }
}

/** Returns the lowest ID of resources created at that time or later. */
const firstIdAt = (time: Date): string =>
  Math.floor(time.getTime() / 1_000)
    .toString(16)
    .padEnd(24, '0');
