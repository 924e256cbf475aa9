import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../platform/access/request.js';
import type { Author } from '../../platform/audit/author.js';
import type { Stored, StoredPage } from '../../platform/response/answers.js';
import type { Success } from '../../platform/shared.schemas.js';
import type { FilePatch, FilePost } from '../files/file.resource.js';
import { FileTrees, type FileTree } from '../files/file-tree.js';
import type { PrivateFile } from './private-file.resource.js';
import { PRIVATE_FILES_PURGE } from './private-files.jobs.js';
import type { LinkQuery, PrivateFileMoveQuery, PrivateFilesQuery } from './private-files.query.js';
import { PrivateFilesRepository } from './private-files.repository.js';

/** The files of applications that those may read who are given a link. */
@Injectable()
export class PrivateFilesService {
  private readonly tree: FileTree<PrivateFile>;

  constructor(files: PrivateFilesRepository, trees: FileTrees) {
    this.tree = trees.of(files, PRIVATE_FILES_PURGE);
  }

  list(application: ApplicationAccess, query: PrivateFilesQuery): Promise<StoredPage<PrivateFile>> {
    return this.tree.list(application, query);
  }

  create(application: ApplicationAccess, post: FilePost, by: Author): Promise<Stored<PrivateFile>> {
    return this.tree.create(application, post, by);
  }

  get(applicationId: string, id: string, _query: LinkQuery): Promise<Stored<PrivateFile>> {
    return this.tree.get(applicationId, id);
  }

  patch(applicationId: string, id: string, patch: FilePatch, by: Author): Promise<Stored<PrivateFile>> {
    return this.tree.patch(applicationId, id, patch, by);
  }

  move(
    application: ApplicationAccess,
    id: string,
    query: PrivateFileMoveQuery,
    by: Author,
  ): Promise<Stored<PrivateFile>> {
    return this.tree.move(application, id, query, by);
  }

  delete(applicationId: string, id: string, by: Author): Promise<Success> {
    return this.tree.delete(applicationId, id, by);
  }
}
