import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../../platform/database/database.js';
import { FileTreeRepository } from '../files/file-tree.repository.js';
import { PRIVATE_FILES, PrivateFile } from './private-file.resource.js';

/** Repository of private files. */
@Injectable()
export class PrivateFilesRepository extends FileTreeRepository<PrivateFile> {
  constructor(@InjectRepository(PrivateFile) rows: Repository<PrivateFile>, database: Database) {
    super(rows, database, PRIVATE_FILES, 'private_files');
  }
}
