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

/** Content at a path. Excludes directories and everything in directories that are being deleted. */
const FIND_CONTENT = `SELECT f.content_key, f.content_type FROM (${treeSql('files').walk}) s
  JOIN files f ON f.application_id = $1 AND f.id = s.id
  WHERE s.level = cardinality($2::text[]) AND f.type = 'file'
    AND EXISTS (SELECT FROM applications a WHERE a.id = $1 AND a.deleted_at IS NULL)`;

/** Finds the contents of public files. */
@Injectable()
export class ServedFilesRepository {
  constructor(private readonly database: Database) {}

  /** Returns the content of the file at a path, given as names starting at the root. */
  async findContent(applicationId: string, names: readonly string[]): Promise<ServedContent | undefined> {
    const [found] = await this.database.rows<ServedContent>(prepared(FIND_CONTENT, [applicationId, names]));
    return found;
  }
}
