import type { DataSource, EntityManager } from 'typeorm';
import { countedSql, HOLDER_TABLES, ownerSql, type CountedRows } from './count-triggers.js';

/** A kept count that differs from the actual number of rows. */
export interface CountDifference {
  holderId: string;
  kind: string;
  counted: number;
  kept: number;
}

/**
 * Compares both sides in one snapshot, including the sums of owners: the actual rows, and the kept and pending counts.
 */
const differencesSql = (rows: readonly CountedRows[]): string => `
  WITH counted AS (SELECT c.holder_id, c.kind, sum(c.n) AS n FROM (
      ${rows.map((one) => countedSql(one, one.table)).join(' UNION ALL ')}) c GROUP BY 1, 2),
    sides AS (
      SELECT holder_id, kind, n AS counted, 0 AS kept FROM counted
      UNION ALL SELECT a.owner_id, c.kind, c.n, 0 FROM counted c
        JOIN applications a ON a.id = c.holder_id AND a.deleted_at IS NULL
      UNION ALL SELECT k.holder_id, e.key, 0, e.value::bigint FROM kept_counts k, jsonb_each_text(k.counts) e
      UNION ALL SELECT holder_id, kind, 0, n FROM count_deltas
      UNION ALL SELECT a.owner_id, d.kind, 0, d.n FROM count_deltas d
        JOIN applications a ON a.id = d.holder_id AND a.deleted_at IS NULL)
  SELECT s.holder_id AS "holderId", s.kind, sum(s.counted)::float8 AS counted, sum(s.kept)::float8 AS kept FROM sides s
  WHERE s.holder_id IN (${HOLDER_TABLES.map((table) => `SELECT id FROM ${table}`).join(' UNION ALL ')})
  GROUP BY 1, 2 HAVING sum(s.counted) <> sum(s.kept) ORDER BY 1, 2`;

/**
 * Corrections are inserted as deltas. The part of an owner's difference that its applications explain follows from
 * theirs.
 */
const REPAIR = `
  WITH missing AS (SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) m (holder_id, kind, n)),
    direct AS (
      SELECT m.holder_id, m.kind, m.n - coalesce((SELECT sum(o.n) FROM missing o JOIN applications a ON a.id = o.holder_id
        AND a.deleted_at IS NULL WHERE a.owner_id = m.holder_id AND o.kind = m.kind), 0) AS n FROM missing m)
  INSERT INTO count_deltas (holder_id, owner_id, kind, n)
  SELECT d.holder_id, ${ownerSql('d.holder_id')}, d.kind, d.n FROM direct d WHERE d.n <> 0`;
const REPAIR_OWNERS = `UPDATE kept_counts k SET owner_id = ${ownerSql('k.holder_id')}
  WHERE k.owner_id IS DISTINCT FROM ${ownerSql('k.holder_id')}`;

/**
 * Compares kept counts with the actual rows and optionally repairs differences. Reads a single snapshot and locks no
 * one out, however long it takes. Concurrent changes are not lost.
 */
export function verifyCounts(
  dataSource: DataSource,
  rows: readonly CountedRows[],
  { mend }: { mend: boolean },
): Promise<CountDifference[]> {
  return dataSource.transaction('REPEATABLE READ', async (manager: EntityManager) => {
    await manager.query('SET LOCAL statement_timeout = 0');
    const found = await manager.query<CountDifference[]>(differencesSql(rows));
    if (!mend) return found;
    await manager.query(REPAIR_OWNERS);
    if (found.length)
      await manager.query(REPAIR, [
        found.map(({ holderId }) => holderId),
        found.map(({ kind }) => kind),
        found.map(({ counted, kept }) => counted - kept),
      ]);
    return found;
  });
}
