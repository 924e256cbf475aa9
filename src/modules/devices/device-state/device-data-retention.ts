import { Injectable } from '@nestjs/common';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { Removal } from '../../../platform/holdings/removal.js';
import { DEFAULT_LIMITS } from '../../../platform/holdings/limits.js';
import {
  DAY,
  DevicePartitionsRepository,
  HOURS,
  POINTS,
  type PartitionedTable,
  type Partition,
} from './device-partitions.repository.js';

const INTERVAL_MS = 10 * 60_000;
/** Age up to which reports are accepted; partitions of this period are kept. */
const MAX_REPORT_AGE_MS = 31 * DAY;
const PARTITION_LEAD_MS = 2 * DAY;
const DEFAULT_SECONDS = DEFAULT_LIMITS.dataTTL;

/**
 * Creates future partitions, and deletes data that is older than the retention period of its owner. A partition is
 * dropped when it is older than all retention periods. Before that, the rows of owners with a shorter period are
 * deleted, once their whole partition is too old.
 */
@Injectable()
export class DeviceDataRetention extends PeriodicTask {
  private readonly ending = new AbortController();

  constructor(
    private readonly partitions: DevicePartitionsRepository,
    private readonly removal: Removal,
  ) {
    super(INTERVAL_MS, 'Could not maintain the partitions of device data');
  }

  override async onModuleDestroy(): Promise<void> {
    this.ending.abort();
    await super.onModuleDestroy();
  }

  /** Deletes the data that is too old at the given time. */
  async removeOld(now: number): Promise<void> {
    const { shortest, longest } = await this.partitions.lifetimes(DEFAULT_SECONDS);
    const isOver = (to: number, seconds: number) => to <= now - seconds * 1000;
    for (const parted of [POINTS, HOURS])
      for (const partition of await this.partitions.list(parted)) {
        this.ending.signal.throwIfAborted();
        const { to, isLeaving } = partition;
        if (isLeaving || (isOver(to, longest) && to <= now - MAX_REPORT_AGE_MS))
          await this.partitions.drop(parted, partition);
        else if (isOver(to, shortest))
          for (const { id, seconds } of await this.partitions.holders(partition, DEFAULT_SECONDS))
            if (isOver(to, seconds)) await this.removal.rows(rowsOf(partition), id, this.ending.signal);
      }
  }

  protected override async runBatch(): Promise<boolean> {
    const now = Date.now();
    for (const parted of [POINTS, HOURS]) await this.partitions.createMissing(parted, times(parted, now));
    await this.removeOld(now);
    return false;
  }
}

const rowsOf = ({ name }: Partition) => ({ table: name, column: 'application_id' });

/** Yields a time in each partition from now on. */
function* times({ length }: PartitionedTable, now: number): Iterable<number> {
  for (let time = now; time <= now + Math.max(PARTITION_LEAD_MS, length); time += length) yield time;
}
