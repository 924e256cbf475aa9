import { Injectable } from '@nestjs/common';
import { PROCESS_ROLES } from '../../config/config.js';
import { Database } from '../database/database.js';
import { PendingCounts } from '../database/pending-counts.js';
import { PeriodicTask } from '../database/periodic-task.js';
import { prepared } from '../database/statements.js';
import { RunsIn } from '../processes/roles.js';
import { countPayloadsSql, type Payloads } from './payload-deltas.js';

/** Payloads of one kind that an application, or one of its devices, has received or sent. */
export interface CountedPayloads extends Payloads {
  applicationId: string;
  deviceId: string | null;
  n: number;
}

const INTERVAL_MS = 1_000;
/** Rows of a statement. */
const MAX_BATCH = 5_000;

const STORE = countPayloadsSql(`SELECT * FROM
  unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[]) r
    (application_id, device_id, type, channel, n, bytes)`);

/**
 * Counts payloads that are not stored themselves. Frequent ones are counted in memory and stored every second, because a
 * statement for each would cost more than the payload; a process that is killed loses the counts of a second.
 */
@Injectable()
@RunsIn(...PROCESS_ROLES)
export class PayloadCounter extends PeriodicTask {
  private readonly counts = new PendingCounts<CountedPayloads>((known, more) => {
    known.n += more.n;
    known.bytes += more.bytes;
  });

  constructor(private readonly database: Database) {
    super(INTERVAL_MS, 'Could not store the counts of payloads');
  }

  /** Stores a count at once, as part of the transaction of the caller, if any. */
  async store(row: CountedPayloads): Promise<void> {
    await this.database.run(prepared(STORE, valuesOf([row])));
  }

  /** Counts a payload in memory. */
  add({ applicationId, deviceId, type, channel, bytes }: Omit<CountedPayloads, 'n'>): void {
    this.counts.add([deviceId ?? applicationId, type, channel], {
      applicationId,
      deviceId,
      type,
      channel,
      n: 1,
      bytes,
    });
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

const valuesOf = (rows: readonly CountedPayloads[]): unknown[] => [
  rows.map(({ applicationId }) => applicationId),
  rows.map(({ deviceId }) => deviceId),
  rows.map(({ type }) => type),
  rows.map(({ channel }) => channel),
  rows.map(({ n }) => n),
  rows.map(({ bytes }) => bytes),
];
