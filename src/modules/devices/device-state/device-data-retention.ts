import { Injectable } from '@nestjs/common';
import { Repeated } from '../../../platform/database/repeated.js';
import { Removal } from '../../../platform/holdings/removal.js';
import { DEFAULT_LIMITS } from '../../../platform/holdings/limits.js';
import {
  DAY,
  DevicePartitionsRepository,
  HOURS,
  POINTS,
  type Parted,
  type Partition,
} from './device-partitions.repository.js';

const INTERVAL_MS = 10 * 60_000;
/** Age up to which reports are accepted; partitions of this period are kept. */
const OLDEST_REPORT_MS = 31 * DAY;
const AHEAD_MS = 2 * DAY;
const USUAL = DEFAULT_LIMITS.dataTTL;

/**
 * Creates future partitions, and deletes data that is older than the retention period of its owner. A partition is
 * dropped when it is older than all retention periods. Before that, the rows of owners with a shorter period are
 * deleted, once their whole partition is too old.
 */
@Injectable()
export class DeviceDataRetention extends Repeated {
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
    const { shortest, longest } = await this.partitions.lifetimes(USUAL);
    const isOver = (to: number, seconds: number) => to <= now - seconds * 1000;
    for (const parted of [POINTS, HOURS])
      for (const partition of await this.partitions.list(parted)) {
        this.ending.signal.throwIfAborted();
        const { to, isLeaving } = partition;
        if (isLeaving || (isOver(to, longest) && to <= now - OLDEST_REPORT_MS))
          await this.partitions.drop(parted, partition);
        else if (isOver(to, shortest))
          for (const { id, seconds } of await this.partitions.holders(partition, USUAL))
            if (isOver(to, seconds)) await this.removal.rows(rowsOf(partition), id, this.ending.signal);
      }
  }

  protected override async batch(): Promise<boolean> {
    const now = Date.now();
    for (const parted of [POINTS, HOURS]) await this.partitions.provide(parted, times(parted, now));
    await this.removeOld(now);
    return false;
  }
}

const rowsOf = ({ name }: Partition) => ({ table: name, column: 'application_id' });

/** Yields a time in each partition from now on. */
function* times({ length }: Parted, now: number): Iterable<number> {
  for (let time = now; time <= now + Math.max(AHEAD_MS, length); time += length) yield time;
}
