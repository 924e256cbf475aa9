import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { TooManyRequests } from '../../../lib/errors/errors.js';

const AGE = `$3 * interval '1 second'`;
/** Of two concurrent requests, the second waits for the first and then sees its time. */
const ACQUIRE = `INSERT INTO export_turns AS t (application_id, subject_id, taken_at) VALUES ($1, $2, now())
  ON CONFLICT (application_id, subject_id) DO UPDATE SET taken_at = excluded.taken_at WHERE t.taken_at <= now() - ${AGE}
  RETURNING 1`;
/** The transaction that took the turn may have started after the one that waited for it. */
const REMAINING_SECONDS = `SELECT least(ceil(extract(epoch FROM t.taken_at + ${AGE} - now()))::float8, $3) FROM export_turns t
  WHERE t.application_id = $1 AND t.subject_id = $2`;

/** Stores the time of the last export of each subject in the database, shared by all processes. */
@Injectable()
export class ExportTurnsRepository {
  /**
   * Takes the turn of a subject, such as a device; throws a 429 error if the last export was less than `seconds` ago.
   * `0` disables the limit.
   */
  async acquire(
    applicationId: string,
    subjectId: string,
    seconds: number,
    transaction: Transaction,
  ): Promise<void> {
    if (seconds === 0) return;
    const values = [applicationId, subjectId, seconds];
    if ((await transaction.run(prepared(ACQUIRE, values))).length > 0) return;
    const [row] = await transaction.run(prepared(REMAINING_SECONDS, values));
    throw new TooManyRequests(Number(row?.[0] ?? seconds), 'This was exported a moment ago, try again later');
  }
}
