import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { Repeated } from '../database/repeated.js';
import { prepared } from '../database/statements.js';
import { HOLDER_TABLES, ownerSql } from './count-triggers.js';
import type { Counts } from './counts.js';

const INTERVAL_MS = 1_000;
const BATCH = 10_000;
/** One lock for all workers: PostgreSQL's advisory locks are numbers. */
const LOCK = 7_311_953;

const TRY_LOCK = `SELECT pg_try_advisory_xact_lock(${LOCK})::text`;
const TAKE = `WITH taken AS (DELETE FROM count_deltas WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM count_deltas LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING holder_id, kind, n),
  sums AS (SELECT holder_id, kind, sum(n) AS n, count(*) AS deltas FROM taken GROUP BY holder_id, kind)
  SELECT holder_id, json_object_agg(kind, n), sum(deltas) FROM sums GROUP BY holder_id`;
/** What nobody holds any more is forgotten. Rows are locked in the order of their ids. */
const ADD = `INSERT INTO kept_counts AS k (holder_id, owner_id, counts)
  SELECT s.holder_id, ${ownerSql('s.holder_id')}, s.counts FROM unnest($1::text[], $2::jsonb[]) s (holder_id, counts)
  WHERE EXISTS (SELECT FROM kept_counts WHERE holder_id = s.holder_id)
    ${HOLDER_TABLES.map((table) => `OR EXISTS (SELECT FROM ${table} WHERE id = s.holder_id)`).join(' ')}
  ORDER BY s.holder_id
  ON CONFLICT (holder_id) DO UPDATE SET counts = add_counts(k.counts, excluded.counts)
  RETURNING k.holder_id, k.owner_id`;

/**
 * Adds what changed to the kept counts, a batch at a time; returns how many changes it took. An owner's counts include
 * those of its applications: whose an application is, is read from the very row that is added to, which a transfer
 * changes. Of several workers one does it.
 */
export function foldCounts(database: Database): Promise<number> {
  return database.transaction(async (transaction) => {
    const [lock] = await transaction.run(prepared(TRY_LOCK, []));
    if (lock?.[0] !== 'true') return 0;
    const rows = await transaction.run(prepared(TAKE, []));
    if (rows.length === 0) return 0;
    const taken = new Map(rows.map(([holder, counts]) => [holder!, JSON.parse(counts!) as Counts]));
    await add(transaction, await add(transaction, taken));
    return rows.reduce((total, row) => total + Number(row[2]), 0);
  });
}

/** Adds counts to those of their holders, and returns what has to be added to the owners of these. */
async function add(
  transaction: Transaction,
  counts: ReadonlyMap<string, Counts>,
): Promise<Map<string, Counts>> {
  const owners = new Map<string, Record<string, number>>();
  if (counts.size === 0) return owners;
  const texts = [...counts.values()].map((one) => JSON.stringify(one));
  for (const [holder, owner] of await transaction.run(prepared(ADD, [[...counts.keys()], texts]))) {
    if (!owner) continue;
    const sums = owners.get(owner) ?? {};
    for (const [kind, n] of Object.entries(counts.get(holder!)!)) sums[kind] = (sums[kind] ?? 0) + n;
    owners.set(owner, sums);
  }
  return owners;
}

/** Keeps the kept counts up to date, in every worker. */
@Injectable()
export class CountsFolder extends Repeated {
  constructor(private readonly database: Database) {
    super(INTERVAL_MS, 'Counts were not brought up to date');
  }

  protected override async batch(): Promise<boolean> {
    return (await foldCounts(this.database)) >= BATCH;
  }
}
