import { Injectable } from '@nestjs/common';
import { PROCESS_ROLES } from '../../config/config.js';
import { Database } from '../../platform/database/database.js';
import { PendingCounts } from '../../platform/database/pending-counts.js';
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
  private readonly counts = new PendingCounts<CountedMessages>((known, more) => {
    known.n += more.n;
    known.bytes += more.bytes;
  });

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
    this.counts.add(key, { applicationId, deviceId, type, channel, n: 1, bytes });
  }

  override async onModuleDestroy(): Promise<void> {
    await super.onModuleDestroy();
    await this.runBatch().catch(() => undefined);
  }

  protected override async runBatch(): Promise<boolean> {
    await this.counts.store(MAX_BATCH, (rows) =>
      this.database.transactionOnce((transaction) => transaction.run(prepared(STORE, valuesOf(rows)))),
    );
    return false;
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
