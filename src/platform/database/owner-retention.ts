import type { Database } from './database.js';
import { PeriodicTask } from './periodic-task.js';
import { prepared } from './statements.js';

const INTERVAL_MS = 60 * 60_000;
const BATCH = 1_000;
/** Maximum retention in seconds: one century. Anything longer counts as unlimited. */
const MAX_RETENTION_SECONDS = 100 * 366 * 86_400;

/**
 * Finds the next application with rows, by an index that starts with its ID, and the retention of its owner in seconds,
 * if limited.
 */
const nextSql = (table: string) => `SELECT t.application_id, (
    SELECT (coalesce(o.limits, u.limits)->>'dataTTL')::bigint FROM applications a
    LEFT JOIN orgs o ON o.id = a.owner_id LEFT JOIN users u ON u.id = a.owner_id WHERE a.id = t.application_id) AS kept
  FROM ${table} t WHERE t.application_id > $1 ORDER BY t.application_id LIMIT 1`;

const removeSql = (table: string, time: string) => `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE application_id = $1 AND ${time} < now() - make_interval(secs => $2)
    ORDER BY ${time} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`;

/**
 * Removes rows of applications in batches once they are older than the device data retention of the owners. The table
 * has an index on `application_id` and the time column. All workers do this concurrently, each with different rows.
 */
export abstract class OwnerRetention extends PeriodicTask {
  protected constructor(
    private readonly database: Database,
    private readonly table: string,
    private readonly time = 'time',
  ) {
    super(INTERVAL_MS, `Old rows of ${table} were not removed`);
  }

  /** Removes expired rows of every application. */
  async removeOld(): Promise<void> {
    for (let after = ''; !this.stopped;) {
      const [next] = await this.database.rows<{ applicationId: string; kept: number | null }>(
        prepared(nextSql(this.table), [after]),
      );
      if (!next) return;
      after = next.applicationId;
      if (next.kept !== null && next.kept < MAX_RETENTION_SECONDS) await this.removeOf(after, next.kept);
    }
  }

  private async removeOf(applicationId: string, seconds: number): Promise<void> {
    const statement = prepared(removeSql(this.table, this.time), [applicationId, seconds]);
    while (!this.stopped && (await this.database.run(statement)).length === BATCH);
  }

  protected override async runBatch(): Promise<boolean> {
    await this.removeOld();
    return false;
  }
}
