import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import type { FileTable } from './file-upload.entity.js';

/** Content without an MD5. */
export interface UnhashedContent {
  id: string;
  contentKey: string;
}

/** Must equal the condition of the index `<table>_unhashed`. */
const IS_UNHASHED = `content_key IS NOT NULL AND coalesce(s3etag, '') !~ '^[0-9a-f]{32}$'`;
const findIn = (table: FileTable) => `SELECT f.id, f.content_key FROM ${table} f
  WHERE f.id > $1 AND ${IS_UNHASHED} ORDER BY f.id LIMIT $2`;
/** Content that was replaced has a checksum of its own. */
const storeIn = (table: FileTable) =>
  `UPDATE ${table} f SET s3etag = $3 WHERE f.id = $1 AND f.content_key = $2`;
const FIND: Readonly<Record<FileTable, string>> = {
  files: findIn('files'),
  private_files: findIn('private_files'),
};
const STORE: Readonly<Record<FileTable, string>> = {
  files: storeIn('files'),
  private_files: storeIn('private_files'),
};

/** Repository of file contents whose MD5 is not known. */
@Injectable()
export class MissingChecksumsRepository {
  constructor(private readonly database: Database) {}

  /** Returns a batch of contents of files with an ID after `after`, sorted by ID. */
  find(table: FileTable, after: string, max: number): Promise<UnhashedContent[]> {
    return this.database.rows<UnhashedContent>(prepared(FIND[table], [after, max]));
  }

  async store(table: FileTable, { id, contentKey }: UnhashedContent, md5: string): Promise<void> {
    await this.database.run(prepared(STORE[table], [id, contentKey, md5]));
  }
}
