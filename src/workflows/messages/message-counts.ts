import { Injectable } from '@nestjs/common';
import { PROCESS_ROLES } from '../../config/config.js';
import { Database } from '../../platform/database/database.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { prepared } from '../../platform/database/statements.js';
import { countPayloadsSql } from '../../platform/payloads/payload-deltas.js';
import type { PayloadChannel } from '../../platform/payloads/payload-types.js';
import { RunsIn } from '../../platform/processes/roles.js';

/** Messages of one kind that an application, or one of its devices, has received or sent. */
export interface CountedMessages {
  applicationId: string;
  deviceId: string | null;
  type: 'mqttIn' | 'mqttOut';
  channel: PayloadChannel;
  n: number;
  bytes: number;
}

const INTERVAL_MS = 1_000;
/** Rows of a statement. */
const MAX_BATCH = 5_000;

const STORE = countPayloadsSql(`SELECT * FROM
  unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[]) r
    (application_id, device_id, type, channel, n, bytes)`);

/**
 * Counts messages on custom topics. Those of devices are counted in memory and stored every second, because a statement
 * for each would cost more than the message; a process that is killed loses the counts of a second.
 */
@Injectable()
@RunsIn(...PROCESS_ROLES)
export class MessageCounts extends PeriodicTask {
  private counts = new Map<string, CountedMessages>();

  constructor(private readonly database: Database) {
    super(INTERVAL_MS, 'Could not store the counts of messages');
  }

  /** Stores counts at once, as part of the transaction of the caller, if any. */
  async store(...rows: CountedMessages[]): Promise<void> {
    await this.database.run(prepared(STORE, valuesOf(rows)));
  }

  /** Counts a message of a device. */
  add(
    type: CountedMessages['type'],
    channel: PayloadChannel,
    { applicationId, deviceId = null }: { applicationId: string; deviceId?: string | null },
    bytes: number,
  ): void {
    const key = `${type} ${channel} ${deviceId ?? applicationId}`;
    let count = this.counts.get(key);
    if (!count) this.counts.set(key, (count = { applicationId, deviceId, type, channel, n: 0, bytes: 0 }));
    count.n++;
    count.bytes += bytes;
  }

  override async onModuleDestroy(): Promise<void> {
    await super.onModuleDestroy();
    await this.runBatch().catch(() => undefined);
  }

  protected override async runBatch(): Promise<boolean> {
    const counted = [...this.counts];
    this.counts = new Map();
    for (let at = 0; at < counted.length; at += MAX_BATCH) {
      const rows = counted.slice(at, at + MAX_BATCH).map(([, row]) => row);
      try {
        await this.database.write(prepared(STORE, valuesOf(rows)));
      } catch (error) {
        for (const [key, row] of counted.slice(at)) this.restore(key, row);
        throw error;
      }
    }
    return false;
  }

  private restore(key: string, row: CountedMessages): void {
    const later = this.counts.get(key);
    if (later) {
      later.n += row.n;
      later.bytes += row.bytes;
    } else this.counts.set(key, row);
  }
}

const valuesOf = (rows: readonly CountedMessages[]): unknown[] => [
  rows.map(({ applicationId }) => applicationId),
  rows.map(({ deviceId }) => deviceId),
  rows.map(({ type }) => type),
  rows.map(({ channel }) => channel),
  rows.map(({ n }) => n),
  rows.map(({ bytes }) => bytes),
];
