import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { Retention } from '../database/retention.js';
import { prepared } from '../database/statements.js';
import { instanceOfOwnerSql } from '../payloads/payload-counts.js';

/** The counts of which it is kept, day by day, what came and went; the parts of one are one. */
const DAILY = ['deviceCount'];
/** For how many days that can be asked for. */
export const DAYS_KEPT = 400;

/** SQL of the name of a count without that of its part. */
const wholeOf = (kind: string): string => `split_part(${kind}, ':', 1)`;

/** SQL of those of the rows `deltas` of which it is kept by the day: kind, time and amount of each statement. */
export const dailyChangesSql = (deltas: string): string =>
  `SELECT d.holder_id, ${wholeOf('d.kind')} AS kind, d.time, sum(d.n) AS n FROM ${deltas} d
    WHERE ${wholeOf('d.kind')} = ANY ('{${DAILY.join()}}') GROUP BY 1, 2, 3 HAVING sum(d.n) <> 0`;

/** That a count of a holder changed, and of the owner whose counts include it. */
export interface CountChange {
  holder: string;
  owner: string | null;
  kind: string;
  /** As PostgreSQL writes it, by UTC. */
  time: string;
  n: number;
}

const ADDED = 'coalesce(sum(c.n) FILTER (WHERE c.n > 0), 0) AS added';
const REMOVED = 'coalesce(-sum(c.n) FILTER (WHERE c.n < 0), 0) AS removed';

/**
 * What a change of an application adds goes to its owner and to the instance too. Of one instance, an application that is
 * moved inside it comes and goes at once, which is neither. Totals of later days that were begun already follow.
 */
const NOTE = `WITH changes AS (
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

/** Notes on which days counts changed, and what they were at the end; part of what adds the changes to kept counts. */
export async function noteDays(transaction: Transaction, changes: readonly CountChange[]): Promise<void> {
  const days = new Map<string, CountChange[]>();
  for (const change of changes) {
    const day = `${change.time.slice(0, 10)}T00:00:00Z`;
    const same = days.get(day);
    if (same) same.push(change);
    else days.set(day, [change]);
  }
  for (const [day, of] of [...days].sort(([a], [b]) => (a < b ? -1 : 1)))
    await transaction.run(
      prepared(NOTE, [
        day,
        of.map(({ holder }) => holder),
        of.map(({ owner }) => owner),
        of.map(({ kind }) => kind),
        of.map(({ time }) => time),
        of.map(({ n }) => n),
      ]),
    );
}

/** SQL of what is on its way to the counts of `h`, a holder, as a condition on `count_deltas d`. */
export const DELTAS_OF = {
  application: 'd.holder_id = h.id',
  owner: '(d.holder_id = h.id OR d.owner_id = h.id)',
  instance: `${instanceOfOwnerSql('coalesce(d.owner_id, d.holder_id)')} = h.id`,
} as const;

/**
 * SQL of what came and went of the count `$2` of each of the holders `$1`, by day from `$3` to `$4`, and with no day, as
 * having come, what there was before.
 */
export const dailyCountsSql = (of: keyof typeof DELTAS_OF): string => `
  SELECT h.id AS holder_id, r.day, r.added, r.removed FROM unnest($1::text[]) h (id) CROSS JOIN LATERAL (
    (SELECT NULL::timestamptz AS day, k.total AS added, 0 AS removed FROM count_days k
      WHERE k.holder_id = h.id AND k.kind = $2 AND k.day < $3 ORDER BY k.day DESC LIMIT 1)
    UNION ALL SELECT k.day, k.added, k.removed FROM count_days k
      WHERE k.holder_id = h.id AND k.kind = $2 AND k.day >= $3 AND k.day < $4
    UNION ALL SELECT CASE WHEN c.time >= $3 THEN date_trunc('day', c.time, 'UTC') END, greatest(c.n, 0), greatest(-c.n, 0)
      FROM (SELECT d.time, sum(d.n) AS n FROM count_deltas d
        WHERE ${DELTAS_OF[of]} AND ${wholeOf('d.kind')} = $2 AND d.time < $4 GROUP BY d.time) c) r`;

/** Removes what is too old, but for the last total of each holder before that. */
@Injectable()
export class DailyCountsRetention extends Retention {
  constructor(database: Database) {
    const oldest = `now() - interval '${DAYS_KEPT + 1} days'`;
    super(database, {
      tables: ['count_days'],
      column: 'day',
      oldest,
      where: `EXISTS (SELECT FROM count_days l WHERE l.holder_id = count_days.holder_id AND l.kind = count_days.kind
        AND l.day > count_days.day AND l.day < ${oldest})`,
    });
  }
}
