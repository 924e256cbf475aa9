import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { inOneWorker } from '../database/one-worker.js';
import { PeriodicTask } from '../database/periodic-task.js';
import type { Row } from '../database/row-shape.js';
import { prepared } from '../database/statements.js';
import { HOLDER_TABLES, ownerSql } from './count-triggers.js';
import type { Counts } from './counts.js';
import { dailyChangesSql, recordDailyChanges, type CountChange } from './daily-counts.js';

const INTERVAL_MS = 1_000;
const BATCH = 10_000;
const LOCK = 7_311_953;

const TAKE_DELTAS = `WITH taken AS (DELETE FROM count_deltas WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM count_deltas LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING holder_id, kind, n, time),
  sums AS (SELECT holder_id, kind, sum(n) AS n, count(*) AS deltas FROM taken GROUP BY holder_id, kind),
  counts AS (SELECT holder_id, json_object_agg(kind, n) AS counts, sum(deltas) AS deltas FROM sums GROUP BY holder_id),
  changes AS (SELECT c.holder_id, json_agg(json_build_object('kind', c.kind, 'time', c.time AT TIME ZONE 'UTC', 'n', c.n)) AS changes
    FROM (${dailyChangesSql('taken')}) c GROUP BY c.holder_id)
  SELECT c.holder_id, c.counts, c.deltas, d.changes FROM counts c LEFT JOIN changes d ON d.holder_id = c.holder_id`;
/** Counts of deleted holders are dropped. Rows are locked in the order of their IDs. */
const ADD = `INSERT INTO kept_counts AS k (holder_id, owner_id, counts)
  SELECT s.holder_id, ${ownerSql('s.holder_id')}, s.counts FROM unnest($1::text[], $2::jsonb[]) s (holder_id, counts)
  WHERE EXISTS (SELECT FROM kept_counts WHERE holder_id = s.holder_id)
    ${HOLDER_TABLES.map((table) => `OR EXISTS (SELECT FROM ${table} WHERE id = s.holder_id)`).join(' ')}
  ORDER BY s.holder_id
  ON CONFLICT (holder_id) DO UPDATE SET counts = add_counts(k.counts, excluded.counts)
  RETURNING k.holder_id, k.owner_id`;

/**
 * Adds a batch of deltas to the kept counts and returns their number. An owner's counts include those of its
 * applications. The current owner of an application is read from the row that is updated, which a transfer changes too.
 * Only one worker does this at a time.
 */
export async function aggregateCounts(database: Database): Promise<number> {
  const count = await inOneWorker(database, LOCK, async (transaction) => {
    const rows = await transaction.run(prepared(TAKE_DELTAS, []));
    if (rows.length === 0) return 0;
    const taken = new Map(rows.map(([holder, counts]) => [holder!, JSON.parse(counts!) as Counts]));
    const owners = await add(transaction, taken);
    await add(transaction, sumsOfOwners(taken, owners));
    await recordDailyChanges(transaction, changesIn(rows, owners));
    return rows.reduce((total, row) => total + Number(row[2]), 0);
  });
  return count ?? 0;
}

/**
 * Adds counts to those of their holders. Returns the existing holders, each with the owner to which its counts also
 * apply.
 */
async function add(
  transaction: Transaction,
  counts: ReadonlyMap<string, Counts>,
): Promise<Map<string, string | null>> {
  if (counts.size === 0) return new Map();
  const texts = [...counts.values()].map((one) => JSON.stringify(one));
  const rows = await transaction.run(prepared(ADD, [[...counts.keys()], texts]));
  return new Map(rows.map(([holder, owner]) => [holder!, owner ?? null]));
}

/** Returns the sums to add to the owners of the holders. */
function sumsOfOwners(
  counts: ReadonlyMap<string, Counts>,
  owners: ReadonlyMap<string, string | null>,
): Map<string, Counts> {
  const all = new Map<string, Record<string, number>>();
  for (const [holder, owner] of owners) {
    if (owner === null) continue;
    const sums = all.get(owner) ?? {};
    for (const [kind, n] of Object.entries(counts.get(holder)!)) sums[kind] = (sums[kind] ?? 0) + n;
    all.set(owner, sums);
  }
  return all;
}

/** Returns the changes of existing holders whose counts are kept by day. */
function changesIn(rows: readonly Row[], owners: ReadonlyMap<string, string | null>): CountChange[] {
  return rows.flatMap(([holder, , , changes]) => {
    const owner = owners.get(holder!);
    if (!changes || owner === undefined) return [];
    const found = JSON.parse(changes) as Pick<CountChange, 'kind' | 'time' | 'n'>[];
    return found.map((change) => ({ holder: holder!, owner, ...change, time: `${change.time}Z` }));
  });
}

/** Keeps the kept counts up to date. Runs in every worker. */
@Injectable()
export class CountsAggregator extends PeriodicTask {
  constructor(private readonly database: Database) {
    super(INTERVAL_MS, 'Counts were not updated');
  }

  protected override async runBatch(): Promise<boolean> {
    return (await aggregateCounts(this.database)) >= BATCH;
  }
}
