import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { Retention } from '../database/retention.js';
import { prepared } from '../database/statements.js';
import { instanceOfOwnerSql } from '../payloads/payload-counts.js';

/** Counts whose additions and removals are recorded per day. Parts of a count are combined. */
const DAILY = ['deviceCount'];
/** Number of days that are kept. */
export const RETENTION_DAYS = 400;

/** SQL for the name of a count without its part. */
const totalsOf = (kind: string): string => `split_part(${kind}, ':', 1)`;

/** SQL for the changes among the rows `deltas` that are recorded by day: kind, time and amount of each statement. */
export const dailyChangesSql = (deltas: string): string =>
  `SELECT d.holder_id, ${totalsOf('d.kind')} AS kind, d.time, sum(d.n) AS n FROM ${deltas} d
    WHERE ${totalsOf('d.kind')} = ANY ('{${DAILY.join()}}') GROUP BY 1, 2, 3 HAVING sum(d.n) <> 0`;

/** A change of a holder's count, and of the owner whose counts include it. */
export interface CountChange {
  holder: string;
  owner: string | null;
  kind: string;
  /** Time in PostgreSQL's format, in UTC. */
  time: string;
  n: number;
}

const ADDED = 'coalesce(sum(c.n) FILTER (WHERE c.n > 0), 0) AS added';
const REMOVED = 'coalesce(-sum(c.n) FILTER (WHERE c.n < 0), 0) AS removed';

/**
 * A change in an application also applies to its owner and to the instance. For the instance, moving an application
 * within it cancels out. Existing totals of later days are updated too.
 */
const RECORD = `WITH changes AS (
    SELECT h.holder_id, c.kind, c.time, sum(c.n) AS n
    FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::bigint[]) c (holder_id, owner_id, kind, time, n)
    CROSS JOIN LATERAL unnest(ARRAY[c.holder_id, c.owner_id, ${instanceOfOwnerSql('coalesce(c.owner_id, c.holder_id)')}]) h (holder_id)
    WHERE h.holder_id IS NOT NULL GROUP BY 1, 2, 3),
  sums AS (SELECT c.holder_id, c.kind, ${ADDED}, ${REMOVED}, sum(c.n) AS n FROM changes c GROUP BY 1, 2),
  later AS (UPDATE count_days k SET total = k.total + s.n FROM sums s
    WHERE k.holder_id = s.holder_id AND k.kind = s.kind AND k.day > $1)
  INSERT INTO count_days AS k (holder_id, kind, day, added, removed, total)
  SELECT s.holder_id, s.kind, $1, s.added, s.removed, s.n + coalesce((SELECT l.total FROM count_days l
    WHERE l.holder_id = s.holder_id AND l.kind = s.kind AND l.day < $1 ORDER BY l.day DESC LIMIT 1), 0)
  FROM sums s ORDER BY s.holder_id, s.kind
  ON CONFLICT (holder_id, kind, day) DO UPDATE SET added = k.added + excluded.added,
    removed = k.removed + excluded.removed, total = k.total + excluded.added - excluded.removed`;

/**
 * Records the daily changes of counts and the totals at the end of each day. Part of adding deltas to the kept counts.
 */
export async function recordDailyChanges(
  transaction: Transaction,
  changes: readonly CountChange[],
): Promise<void> {
  const days = new Map<string, CountChange[]>();
  for (const change of changes) {
    const day = `${change.time.slice(0, 10)}T00:00:00Z`;
    const same = days.get(day);
    if (same) same.push(change);
    else days.set(day, [change]);
  }
  for (const [day, of] of [...days].sort(([a], [b]) => (a < b ? -1 : 1)))
    await transaction.run(
      prepared(RECORD, [
        day,
        of.map(({ holder }) => holder),
        of.map(({ owner }) => owner),
        of.map(({ kind }) => kind),
        of.map(({ time }) => time),
        of.map(({ n }) => n),
      ]),
    );
}

/** SQL conditions on `count_deltas d` for the pending changes of a holder `h`. */
export const DELTAS_OF = {
  application: 'd.holder_id = h.id',
  owner: '(d.holder_id = h.id OR d.owner_id = h.id)',
  instance: `${instanceOfOwnerSql('coalesce(d.owner_id, d.holder_id)')} = h.id`,
} as const;

/**
 * SQL for the daily additions and removals of the count `$2` of the holders `$1`, from day `$3` to day `$4`. A row
 * without a day contains the previous total as its additions.
 */
export const dailyCountsSql = (of: keyof typeof DELTAS_OF): string => `
  SELECT h.id AS holder_id, r.day, r.added, r.removed FROM unnest($1::text[]) h (id) CROSS JOIN LATERAL (
    (SELECT NULL::timestamptz AS day, k.total AS added, 0 AS removed FROM count_days k
      WHERE k.holder_id = h.id AND k.kind = $2 AND k.day < $3 ORDER BY k.day DESC LIMIT 1)
    UNION ALL SELECT k.day, k.added, k.removed FROM count_days k
      WHERE k.holder_id = h.id AND k.kind = $2 AND k.day >= $3 AND k.day < $4
    UNION ALL SELECT CASE WHEN c.time >= $3 THEN date_trunc('day', c.time, 'UTC') END, greatest(c.n, 0), greatest(-c.n, 0)
      FROM (SELECT d.time, sum(d.n) AS n FROM count_deltas d
        WHERE ${DELTAS_OF[of]} AND ${totalsOf('d.kind')} = $2 AND d.time < $4 GROUP BY d.time) c) r`;

/** Removes expired days, except for the last total of each holder before them. */
@Injectable()
export class DailyCountsRetention extends Retention {
  constructor(database: Database) {
    const oldest = `now() - interval '${RETENTION_DAYS + 1} days'`;
    super(database, {
      tables: ['count_days'],
      column: 'day',
      oldest,
      where: `EXISTS (SELECT FROM count_days l WHERE l.holder_id = count_days.holder_id AND l.kind = count_days.kind
        AND l.day > count_days.day AND l.day < ${oldest})`,
    });
  }
}
