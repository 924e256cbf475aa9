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
/** Reports are taken from so long ago: what they may be of stays. */
const OLDEST_REPORT_MS = 31 * DAY;
const AHEAD_MS = 2 * DAY;
const USUAL = DEFAULT_LIMITS.dataTTL;

/**
 * Makes the partitions of what is to come, and removes data that is older than its owner has it kept: whole partitions once
 * nobody keeps them, and before that the rows of those who do not. Rows go once all of their partition is too old.
 */
@Injectable()
export class DeviceDataRetention extends Repeated {
  private readonly ending = new AbortController();

  constructor(
    private readonly partitions: DevicePartitionsRepository,
    private readonly removal: Removal,
  ) {
    super(INTERVAL_MS, 'Partitions of device data were not looked after');
  }

  override async onModuleDestroy(): Promise<void> {
    this.ending.abort();
    await super.onModuleDestroy();
  }

  /** Removes what is too old at a time. */
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

/** A time in each partition from now on. */
function* times({ length }: Parted, now: number): Iterable<number> {
  for (let time = now; time <= now + Math.max(AHEAD_MS, length); time += length) yield time;
}
