import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { EXPECTATION_SECONDS } from './file-contents.js';
import type { UploadKey } from './file-uploads.repository.js';

/** An upload of a file that may have completed. */
export type OpenUpload = Omit<UploadKey, 'key'>;

/** Interval between polls: grows with the age of the upload, at least five seconds. */
const NEXT_POLL = `now() + greatest(interval '5 seconds', (now() - u.ends_at + $2 * interval '1 second') / 2)`;
const CLAIM_DUE = `UPDATE file_uploads u SET look_at = ${NEXT_POLL} WHERE u.id = ANY (ARRAY(
    SELECT d.id FROM file_uploads d WHERE d.look_at <= now() ORDER BY d.look_at LIMIT $1 FOR UPDATE SKIP LOCKED))
  RETURNING u.id, u.application_id, u.file_id`;
const UPLOADS_OF_FILE = `SELECT u.id, u.application_id, u.file_id FROM file_uploads u
  WHERE u.file_id = $1 AND u.application_id = $2 AND u.look_at < 'infinity' ORDER BY u.id DESC LIMIT $3`;

/** Deletes files that never had content with the last upload that could have provided it. */
const removeUnfilled = (table: string) => `DELETE FROM ${table} f USING (SELECT DISTINCT file_id FROM ended) e
  WHERE f.id = e.file_id AND f.status = 'pending' AND f.content_key IS NULL
    AND NOT EXISTS (SELECT FROM file_uploads u WHERE u.file_id = f.id AND u.ends_at > now())`;
const REMOVE_EXPIRED = `WITH ended AS (DELETE FROM file_uploads u WHERE u.id = ANY (ARRAY(
      SELECT d.id FROM file_uploads d WHERE d.ends_at <= now() ORDER BY d.ends_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING u.id, u.file_id),
  files_gone AS (${removeUnfilled('files')}),
  private_files_gone AS (${removeUnfilled('private_files')})
  SELECT id FROM ended`;

/** Repository of uploads to poll and of expired uploads. */
@Injectable()
export class PendingUploadsRepository {
  constructor(private readonly database: Database) {}

  /** Claims a batch of uploads that are due. Other workers skip them. */
  async claimDue(max: number): Promise<OpenUpload[]> {
    return this.database.rows<OpenUpload>(prepared(CLAIM_DUE, [max, EXPECTATION_SECONDS]));
  }

  /** Returns the latest uploads of a file. */
  async ofFile(applicationId: string, fileId: string, max: number): Promise<OpenUpload[]> {
    return this.database.rows<OpenUpload>(prepared(UPLOADS_OF_FILE, [fileId, applicationId, max]));
  }

  /** Deletes a batch of expired uploads and files that never had content. Returns the number of uploads. */
  async removeExpired(max: number): Promise<number> {
    return (await this.database.run(prepared(REMOVE_EXPIRED, [max]))).length;
  }
}
