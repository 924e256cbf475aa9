import { Injectable } from '@nestjs/common';
import { AGGREGATION_INTERVAL_MS, aggregateDeltas, takenSql } from '../counts/aggregate-deltas.js';
import { Database } from '../database/database.js';
import { PeriodicTask } from '../database/periodic-task.js';
import { instanceOfOwnerSql } from './payload-counts.js';

const LOCK = 7_311_955;

const STEP = 'hours, start, type, channel';
const add = (
  table: string,
  holder: string,
  rows: string,
) => `INSERT INTO ${table} AS k (${holder}, ${STEP}, n, bytes)
    SELECT ${holder}, ${STEP}, sum(n), sum(bytes) FROM (${rows}) r GROUP BY ${holder}, ${STEP} ORDER BY ${holder}, ${STEP}
    ON CONFLICT (${holder}, ${STEP}) DO UPDATE SET n = k.n + excluded.n, bytes = k.bytes + excluded.bytes`;
/**
 * Locks applications against deletion until their sums are stored. Payloads of deleted applications still count for the
 * owner.
 */
const AGGREGATE = `WITH ${takenSql('payload_deltas')},
  summed AS (SELECT d.application_id, d.owner_id, d.device_id, s.hours, s.start, d.type, d.channel,
      sum(d.n) AS n, sum(d.bytes) AS bytes
    FROM taken d, LATERAL (VALUES (1, date_trunc('hour', d.time, 'UTC')), (24, date_trunc('day', d.time, 'UTC'))) s (hours, start)
    GROUP BY 1, 2, 3, 4, 5, 6, 7),
  of_applications AS (${add(
    'application_payload_sums',
    'application_id, device_id',
    `SELECT a.id AS application_id, h.device_id, s.hours, s.start, s.type, s.channel, s.n, s.bytes FROM summed s
      JOIN LATERAL (SELECT a.id FROM applications a WHERE a.id = s.application_id OFFSET 0 FOR KEY SHARE) a ON true
      CROSS JOIN LATERAL unnest(array_remove(ARRAY['', s.device_id], NULL)) h (device_id)`,
  )}),
  of_owners AS (${add(
    'owner_payload_sums',
    'owner_id',
    `SELECT h.owner_id, s.hours, s.start, s.type, s.channel, s.n, s.bytes FROM summed s
      CROSS JOIN LATERAL unnest(ARRAY[s.owner_id, ${instanceOfOwnerSql('s.owner_id')}]) h (owner_id)
      WHERE h.owner_id IS NOT NULL`,
  )})
  SELECT count(*) AS deltas FROM taken`;

/**
 * Adds a batch of counted payloads to the sums of applications, devices, owners and instances. Returns whether there
 * may be more. Only one worker does this at a time.
 */
export function aggregatePayloads(database: Database): Promise<boolean> {
  return aggregateDeltas(database, LOCK, AGGREGATE);
}

/** Keeps the sums of payloads up to date; runs in every worker. */
@Injectable()
export class PayloadSumsAggregator extends PeriodicTask {
  constructor(private readonly database: Database) {
    super(AGGREGATION_INTERVAL_MS, 'Could not aggregate the payloads');
  }

  protected override runBatch(): Promise<boolean> {
    return aggregatePayloads(this.database);
  }
}
