import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { StoredPage, type StoredResource } from '../../../platform/responses/stored-resources.js';
import type { Success } from '../../../platform/fields/shared.schemas.js';
import type { FilePatch, FilePost } from '../files/file.resource.js';
import { FileTrees, type FileTree } from '../files/file-tree.js';
import { PrivateFileLinks } from './private-file-links.js';
import type { PrivateFile } from './private-file.resource.js';
import { PRIVATE_FILES_PURGE } from './private-files.jobs.js';
import type { LinkQuery, PrivateFileMoveQuery, PrivateFilesQuery } from './private-files.query.js';
import { PrivateFilesRepository } from './private-files.repository.js';

/** Manages the private files of applications. */
@Injectable()
export class PrivateFilesService {
  private readonly tree: FileTree<PrivateFile>;

  constructor(
    files: PrivateFilesRepository,
    trees: FileTrees,
    private readonly links: PrivateFileLinks,
  ) {
    this.tree = trees.create(files, PRIVATE_FILES_PURGE);
  }

  async list(application: ApplicationAccess, query: PrivateFilesQuery): Promise<StoredPage<PrivateFile>> {
    const { items, envelope } = await this.tree.list(application, query);
    return new StoredPage(await this.links.addTo(application.id, items, query.urlTTL), envelope);
  }

  create(application: ApplicationAccess, post: FilePost, by: Author): Promise<StoredResource<PrivateFile>> {
    return this.tree.create(application, post, by);
  }

  async get(applicationId: string, id: string, { urlTTL }: LinkQuery): Promise<StoredResource<PrivateFile>> {
    return this.linked(applicationId, await this.tree.get(applicationId, id), urlTTL);
  }

  patch(
    application: ApplicationAccess,
    id: string,
    patch: FilePatch,
    by: Author,
  ): Promise<StoredResource<PrivateFile>> {
    return this.tree.patch(application, id, patch, by);
  }

  async move(
    application: ApplicationAccess,
    id: string,
    query: PrivateFileMoveQuery,
    by: Author,
  ): Promise<StoredResource<PrivateFile>> {
    return this.linked(application.id, await this.tree.move(application, id, query, by), query.urlTTL);
  }

  async upload(
    applicationId: string,
    id: string,
    request: Request,
    { urlTTL }: LinkQuery,
    by: Author,
  ): Promise<StoredResource<PrivateFile>> {
    const file = await this.tree.upload(applicationId, id, { request, part: 'privateFile' }, by);
    return this.linked(applicationId, file, urlTTL);
  }

  delete(applicationId: string, id: string, by: Author): Promise<Success> {
    return this.tree.delete(applicationId, id, by);
  }

  private async linked(
    applicationId: string,
    file: StoredResource<PrivateFile>,
    urlTTL: number,
  ): Promise<StoredResource<PrivateFile>> {
    const [linked] = await this.links.addTo(applicationId, [file], urlTTL);
    return linked!;
  }
}
