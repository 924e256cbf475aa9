import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';

const BATCH = 100;
/** Seconds after midnight over which the runs of a day are spread. */
const JITTER_SECONDS = 4 * 3_600;
/** If two workers run concurrently, the second waits for the first and then finds the application no longer due. */
const CLAIM_DUE = `WITH due AS (
    SELECT a.id FROM applications a LEFT JOIN archive_schedules s ON s.application_id = a.id
    WHERE a.archive_config IS NOT NULL AND a.deleted_at IS NULL AND (s.run_at IS NULL OR s.run_at <= now())
    ORDER BY a.id LIMIT $1),
  taken AS (INSERT INTO archive_schedules AS s (application_id, run_at)
  SELECT d.id, date_trunc('day', now(), 'UTC') + interval '1 day'
    + make_interval(secs => abs(hashtext(d.id)::bigint) % $2) FROM due d ORDER BY d.id
  ON CONFLICT (application_id) DO UPDATE SET run_at = excluded.run_at WHERE s.run_at <= now()
    RETURNING s.application_id)
  SELECT a.id, a.archive_config->'includeApplicationExport' = 'true' IS TRUE AS commits
  FROM taken t JOIN applications a ON a.id = t.application_id`;
const BEGIN = `UPDATE archive_schedules SET next_day = coalesce(next_day, $2) WHERE application_id = $1 RETURNING next_day`;
const ADVANCE = `UPDATE archive_schedules SET next_day = greatest(next_day, $2) WHERE application_id = $1 RETURNING 1`;

/** An application whose daily archive is due. */
export interface DueArchive {
  id: string;
  /** Whether the application is also committed to a repository. */
  commits: boolean;
}

/** Repository of the progress of daily archives. */
@Injectable()
export class ArchiveSchedulesRepository {
  constructor(private readonly database: Database) {}

  /** Claims a batch of applications whose daily archive is due and schedules their next run for the following day. */
  claimDue(transaction: Transaction): Promise<DueArchive[]> {
    return transaction.rows(prepared(CLAIM_DUE, [BATCH, JITTER_SECONDS]));
  }

  /**
   * Returns the first day not archived yet, or `otherwise` on the first run. Returns `undefined` if the schedule no
   * longer exists.
   */
  async startFrom(applicationId: string, otherwise: Date): Promise<Date | undefined> {
    const [row] = await this.database.rows<{ nextDay: Date }>(prepared(BEGIN, [applicationId, otherwise]));
    return row?.nextDay;
  }

  /** Records that all days before `next` are archived. */
  async advance(applicationId: string, next: Date): Promise<void> {
    await this.database.run(prepared(ADVANCE, [applicationId, next]));
  }
}
