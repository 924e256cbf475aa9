import { Injectable } from '@nestjs/common';
import { Database, type Runner } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { TooManyRequests } from '../../../lib/errors/errors.js';

/** Maximum duration of a request. If it does not release the lease, its process has crashed. */
const REQUEST_SECONDS = 5 * 60;
/** Value of `Retry-After`. */
const RETRY_SECONDS = 30;

/** A lease is free if it has expired, or if its job has finished or does not exist. */
const ACQUIRE = `INSERT INTO import_turns AS t (owner_id, import_id, ends_at) VALUES ($1, $2, now() + $3 * interval '1 second')
  ON CONFLICT (owner_id) DO UPDATE SET import_id = excluded.import_id, ends_at = excluded.ends_at, job_id = NULL
  WHERE CASE WHEN t.job_id IS NULL THEN t.ends_at <= now()
    ELSE NOT EXISTS (SELECT FROM jobs j WHERE j.id = t.job_id AND j.status IN ('queued', 'inProgress')) END
  RETURNING 1`;
const TRANSFER = 'UPDATE import_turns SET job_id = $3 WHERE owner_id = $1 AND import_id = $2';
const RELEASE = 'DELETE FROM import_turns WHERE owner_id = $1 AND import_id = $2';

/** Leases that allow one import per owner across all processes. */
@Injectable()
export class ImportTurnsRepository {
  constructor(private readonly database: Database) {}

  /** Takes the owner's lease. Throws `429` while another import holds it. */
  async acquire(ownerId: string, importId: string): Promise<void> {
    const taken = await this.database.run(prepared(ACQUIRE, [ownerId, importId, REQUEST_SECONDS]));
    if (taken.length === 0)
      throw new TooManyRequests(RETRY_SECONDS, 'Another import or clone of this owner is in progress');
  }

  /** Transfers the lease to a job, which holds it until it finishes. */
  async transfer(ownerId: string, importId: string, jobId: string, runner: Runner): Promise<void> {
    await runner.run(prepared(TRANSFER, [ownerId, importId, jobId]));
  }

  /** Releases the lease. */
  async release(ownerId: string, importId: string): Promise<void> {
    await this.database.run(prepared(RELEASE, [ownerId, importId]));
  }
}
