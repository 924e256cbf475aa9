import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../../platform/database/database.js';
import { File, FILES } from './file.resource.js';
import { FileTreeRepository } from './file-tree.repository.js';

/** Repository of public files. */
@Injectable()
export class FilesRepository extends FileTreeRepository<File> {
  constructor(@InjectRepository(File) rows: Repository<File>, database: Database) {
    super(rows, database, FILES, 'files');
  }
}
