import { Injectable } from '@nestjs/common';
import type { OwnedApplication } from '../../../platform/access/request.js';
import type { Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { isLimitedSql } from '../../../platform/holdings/limits.js';
import { assertStorageLimit } from '../../../platform/holdings/storage-limit.js';
import type { TriggerFile } from './file-triggers.js';
import { contentBytesSql, directorySql } from './file.columns.js';
import type { FileTable, FileUpload } from './file-upload.entity.js';

/** Properties of content in the store. */
export interface StoredContent {
  bytes: number;
  /** MD5 of the content, or what the store reports instead, with or without quotation marks. */
  etag: string;
  /** Content type of the upload; absent if the announced type applies. */
  contentType?: string;
}

/** A file whose content was changed. */
export interface CompletedFile {
  applicationId: string;
  id: string;
  kind: FileTable;
  /** Whether this is the first content of the file. */
  isNew: boolean;
}

const triggerFileSql = (
  table: FileTable,
) => `SELECT t.id, t.application_id, t.name, ${directorySql(table)} AS parent_directory,
    t.content_type, t.file_size::float8 AS file_size, t.author_type FROM ${table} t WHERE t.application_id = $1 AND t.id = $2`;
const TRIGGER_FILES: Readonly<Record<FileTable, string>> = {
  files: triggerFileSql('files'),
  private_files: triggerFileSql('private_files'),
};

/** Identity of an upload and the key of its blob. */
export interface UploadKey extends Pick<FileUpload, 'id' | 'applicationId' | 'fileId'> {
  key: string;
}

type ClaimedUpload = Pick<FileUpload, 'kind' | 'contentType' | 'fileDimensions'> &
  Pick<OwnedApplication, 'ownerId' | 'ownerType'> & { isLimited: boolean };

/** Maximum number of open uploads per file. Further uploads expire the oldest. */
const MAX_OPEN = 100;
const OPEN = `WITH retired AS (
    DELETE FROM file_uploads u WHERE u.id = ANY (ARRAY(
      SELECT o.id FROM file_uploads o WHERE o.file_id = $3 ORDER BY o.id DESC OFFSET ${MAX_OPEN - 1})))
  INSERT INTO file_uploads (id, application_id, file_id, kind, content_type, file_dimensions, ends_at, look_at)
  VALUES ($1, $2, $3, $4, $5, $6::jsonb, now() + $7 * interval '1 second',
    CASE WHEN $8 THEN now() ELSE 'infinity' END)`;
const CLOSE = 'DELETE FROM file_uploads u WHERE u.id = $1 AND u.application_id = $2 AND u.file_id = $3';
const CLAIM = `DELETE FROM file_uploads u USING applications a
  WHERE u.id = $1 AND u.application_id = $2 AND u.file_id = $3 AND a.id = u.application_id
  RETURNING u.kind, u.content_type, u.file_dimensions, a.owner_id, a.owner_type, ${isLimitedSql('storage')} AS is_limited`;
const IS_CONTENT = `SELECT f.id FROM files f WHERE f.application_id = $1 AND f.id = $2 AND f.content_key = $3
  UNION ALL SELECT f.id FROM private_files f WHERE f.application_id = $1 AND f.id = $2 AND f.content_key = $3`;
const lockIn = (table: FileTable) => `SELECT (${contentBytesSql('f')})::float8 AS bytes FROM ${table} f
  WHERE f.application_id = $1 AND f.id = $2 FOR NO KEY UPDATE`;
const LOCK: Readonly<Record<FileTable, string>> = {
  files: lockIn('files'),
  private_files: lockIn('private_files'),
};
const completeIn = (table: FileTable) => `UPDATE ${table} f SET status = 'completed', last_updated = now(),
    content_key = $3, file_size = $4, s3etag = $5, content_type = coalesce($6, f.content_type),
    file_dimensions = coalesce($7::jsonb, f.file_dimensions)
  FROM (SELECT o.id, o.content_key IS NULL AS is_new FROM ${table} o
    WHERE o.application_id = $1 AND o.id = $2 AND o.type = 'file' FOR UPDATE) o
  WHERE f.id = o.id RETURNING o.is_new`;
const COMPLETE: Readonly<Record<FileTable, string>> = {
  files: completeIn('files'),
  private_files: completeIn('private_files'),
};

/** Repository of expected uploads. */
@Injectable()
export class FileUploadsRepository {
  /** Registers an expected upload for the given number of seconds; `isSought` sets whether it is polled. */
  async open(
    upload: Omit<FileUpload, 'endsAt' | 'lookAt'>,
    seconds: number,
    isSought: boolean,
    transaction: Transaction,
  ): Promise<void> {
    const { id, applicationId, fileId, kind, contentType, fileDimensions } = upload;
    const dimensions = fileDimensions && JSON.stringify(fileDimensions);
    const values = [id, applicationId, fileId, kind, contentType, dimensions, seconds, isSought];
    await transaction.run(prepared(OPEN, values));
  }

  /** Removes an expected upload. Returns `false` if it was not expected. */
  async close({ id, applicationId, fileId }: UploadKey, transaction: Transaction): Promise<boolean> {
    const closed = await transaction.run(prepared(`${CLOSE} RETURNING u.id`, [id, applicationId, fileId]));
    return closed.length > 0;
  }

  /** Returns a file as passed to workflows. */
  async findTriggerFile(file: CompletedFile, transaction: Transaction): Promise<TriggerFile> {
    const values = [file.applicationId, file.id];
    const [heard] = await transaction.rows<TriggerFile>(prepared(TRIGGER_FILES[file.kind], values));
    return heard!;
  }

  /** Whether an upload is the current content of its file. */
  async isContent({ applicationId, fileId, key }: UploadKey, transaction: Transaction): Promise<boolean> {
    return (await transaction.run(prepared(IS_CONTENT, [applicationId, fileId, key]))).length > 0;
  }

  /**
   * Assigns uploaded content to its file. Returns `undefined` if the upload is not expected or the file no longer
   * exists. Throws 400 if the owner's storage limit would be exceeded.
   */
  async complete(
    { id, applicationId, fileId, key }: UploadKey,
    { bytes, etag, contentType: type }: StoredContent,
    transaction: Transaction,
  ): Promise<CompletedFile | undefined> {
    const [taken] = await transaction.rows<ClaimedUpload>(prepared(CLAIM, [id, applicationId, fileId]));
    if (!taken) return undefined;
    const { kind, fileDimensions } = taken;
    if (taken.isLimited) {
      // Lock order: the file before its owner.
      const [file] = await transaction.rows<{ bytes: number }>(prepared(LOCK[kind], [applicationId, fileId]));
      if (file && bytes > file.bytes)
        await assertStorageLimit(transaction.manager, taken, bytes - file.bytes);
    }
    const dimensions = fileDimensions && JSON.stringify(fileDimensions);
    const values = [applicationId, fileId, key, bytes, unquoted(etag), type ?? taken.contentType, dimensions];
    const [completed] = await transaction.rows<{ isNew: boolean }>(prepared(COMPLETE[kind], values));
    return completed && { applicationId, id: fileId, kind, isNew: completed.isNew };
  }
}

const unquoted = (etag: string): string => etag.replaceAll('"', '');
