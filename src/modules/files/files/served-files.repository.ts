import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { treeSql } from './file-tree.columns.js';

/** Content as it is handed out. */
export interface ServedContent {
  contentKey: string;
  contentType: string | null;
}

/** The content at a path: nothing for directories, for files whose first content has not come, and in what is being deleted. */
const AT = `SELECT f.content_key, f.content_type FROM (${treeSql('files').walk}) s
  JOIN files f ON f.application_id = $1 AND f.id = s.id
  WHERE s.level = cardinality($2::text[]) AND f.type = 'file' AND f.content_key IS NOT NULL
    AND EXISTS (SELECT FROM applications a WHERE a.id = $1 AND a.deleted_at IS NULL)`;

/** Finds the contents of files that anybody may read. */
@Injectable()
export class ServedFilesRepository {
  constructor(private readonly database: Database) {}

  /** The content of the file at a path, whose names are given from the root on. */
  async at(applicationId: string, names: readonly string[]): Promise<ServedContent | undefined> {
    const [found] = await this.database.rows<ServedContent>(prepared(AT, [applicationId, names]));
    return found;
  }
}
