import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { StoredPage, type StoredResource } from '../../../platform/responses/stored-resources.js';
import type { Success } from '../../../platform/fields/shared.schemas.js';
import { FileAddresses } from './file-addresses.js';
import type { File, FilePatch, FilePost } from './file.resource.js';
import { FileTrees, type FileTree } from './file-tree.js';
import { FILES_PURGE } from './files.jobs.js';
import type { FilesQuery, MoveQuery } from './files.query.js';
import { FilesRepository } from './files.repository.js';

/** Manages the public files of applications. */
@Injectable()
export class FilesService {
  private readonly tree: FileTree<File>;

  constructor(
    files: FilesRepository,
    trees: FileTrees,
    private readonly addresses: FileAddresses,
  ) {
    this.tree = trees.create(files, FILES_PURGE);
  }

  async list(application: ApplicationAccess, query: FilesQuery): Promise<StoredPage<File>> {
    const { items, envelope } = await this.tree.list(application, query);
    return new StoredPage(
      items.map((file) => this.shown(file)),
      envelope,
    );
  }

  async create(application: ApplicationAccess, post: FilePost, by: Author): Promise<StoredResource<File>> {
    return this.shown(await this.tree.create(application, post, by));
  }

  async get(applicationId: string, id: string): Promise<StoredResource<File>> {
    return this.shown(await this.tree.get(applicationId, id));
  }

  async patch(
    application: ApplicationAccess,
    id: string,
    patch: FilePatch,
    by: Author,
  ): Promise<StoredResource<File>> {
    return this.shown(await this.tree.patch(application, id, patch, by));
  }

  async upload(
    applicationId: string,
    id: string,
    request: Request,
    by: Author,
  ): Promise<StoredResource<File>> {
    return this.shown(await this.tree.upload(applicationId, id, { request, part: 'file' }, by));
  }

  async move(
    application: ApplicationAccess,
    id: string,
    query: MoveQuery,
    by: Author,
  ): Promise<StoredResource<File>> {
    return this.shown(await this.tree.move(application, id, query, by));
  }

  delete(applicationId: string, id: string, by: Author): Promise<Success> {
    return this.tree.delete(applicationId, id, by);
  }

  /** Adds the URL, also to pending files, because clients that download all files of an application read each. */
  private shown(file: StoredResource<File>): StoredResource<File> {
    if (file.text('type') !== 'file') return file;
    const [application, directory, name] = ['applicationId', 'parentDirectory', 'name'] as const;
    const url = this.addresses.publicUrl(file.text(application)!, file.text(directory)!, file.text(name)!);
    return file.withMembers({ url: JSON.stringify(url) });
  }
}
