import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { treeSql } from './file-tree.columns.js';

/** Content of a file to serve. */
export interface ServedContent {
  /** `null` before the first upload. */
  contentKey: string | null;
  contentType: string | null;
}

/** Tables with files. */
type FileTable = 'files' | 'private_files';

/** Content at a path. Excludes directories and everything in directories that are being deleted. */
const contentSql = (table: FileTable): string => `SELECT f.content_key, f.content_type
  FROM (${treeSql(table).walk}) s JOIN ${table} f ON f.application_id = $1 AND f.id = s.id
  WHERE s.level = cardinality($2::text[]) AND f.type = 'file'
    AND EXISTS (SELECT FROM applications a WHERE a.id = $1 AND a.deleted_at IS NULL)`;
const CONTENT = { files: contentSql('files'), private_files: contentSql('private_files') };

/** Finds the contents of files that are served. */
@Injectable()
export class ServedFilesRepository {
  constructor(private readonly database: Database) {}

  /** Returns the content of the file at a path, given as names starting at the root. */
  async findContent(
    applicationId: string,
    names: readonly string[],
    table: FileTable,
  ): Promise<ServedContent | undefined> {
    const statement = prepared(CONTENT[table], [applicationId, names]);
    const [found] = await this.database.rows<ServedContent>(statement);
    return found;
  }
}
