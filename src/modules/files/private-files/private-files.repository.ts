import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { FileTreeRepository } from '../files/file-tree.repository.js';
import { PRIVATE_FILES, PrivateFile } from './private-file.resource.js';

const CONTENT_KEYS = `SELECT f.id, f.content_key FROM private_files f
  WHERE f.application_id = $1 AND f.id = ANY ($2::text[]) AND f.content_key IS NOT NULL`;

/** Repository of private files. */
@Injectable()
export class PrivateFilesRepository extends FileTreeRepository<PrivateFile> {
  constructor(@InjectRepository(PrivateFile) rows: Repository<PrivateFile>, database: Database) {
    super(rows, database, PRIVATE_FILES, 'private_files');
  }

  /**
   * Returns the blob keys of the files that have content. Keys are never part of responses; links refer to them for a
   * limited time.
   */
  async contentKeys(applicationId: string, ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.run(prepared(CONTENT_KEYS, [applicationId, ids]));
    return new Map(rows.map(([id, key]) => [id!, key!]));
  }
}
