import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import type { Changes } from '../../../platform/database/changes.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { JobDefinition } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { newId } from '../../../platform/repositories/resource.js';
import { StoredPage, type StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { FileContents, type AnnouncedContent, type ExpectedContent } from './file-contents.js';
import { FileTriggers, type TriggerFile } from './file-triggers.js';
import { bytesOf, checkContentType, assertPathFits, parseName, parsePath, pathOf } from './file-path.js';
import { UploadCompletion } from './upload-completion.js';
import type { FilePatch, FilePost } from './file.resource.js';
import type { FileTreeRepository, PathStep } from './file-tree.repository.js';
import type { FilesQuery, MoveQuery } from './files.query.js';
import type { StoredFile } from './stored-file.js';

/** Maximum number of files deleted with their directory in the request. A job deletes more. */
const MAX_SYNC_FILES = 100;

/** A request with a file in the given part of its body. */
export interface UploadedFile {
  request: Request;
  part: string;
}

/** Application whose directories marked for deletion are removed. */
export interface PurgedFiles {
  applicationId: string;
}

/** Creates the trees of public and private files. */
@Injectable()
export class FileTrees {
  constructor(
    readonly contents: FileContents,
    readonly triggers: FileTriggers,
    readonly completion: UploadCompletion,
    readonly database: Database,
    readonly jobs: JobsService,
  ) {}

  create<T extends StoredFile>(files: FileTreeRepository<T>, purge: JobDefinition<PurgedFiles>): FileTree<T> {
    return new FileTree(files, purge, this);
  }
}

/** Manages files and directories of one kind. */
export class FileTree<T extends StoredFile> {
  constructor(
    private readonly files: FileTreeRepository<T>,
    private readonly purge: JobDefinition<PurgedFiles>,
    private readonly use: Pick<FileTrees, 'contents' | 'triggers' | 'completion' | 'database' | 'jobs'>,
  ) {}

  /** Returns a page of all files or of those in a directory. */
  async list(
    application: ApplicationAccess,
    { list, type, status, directory }: FilesQuery,
  ): Promise<StoredPage<T>> {
    const names = directory === undefined ? undefined : parsePath(directory, 'directory');
    const found = names && directoryAt(await this.files.walk(application.id, names), names);
    // `none` is not a valid ID, so the list is empty if the directory does not exist.
    const parentId = names && (found?.id ?? 'none');
    const { items, envelope } = await this.files.list(application, list, { type, status, parentId });
    const parent = names ? { parentExists: found !== undefined } : {};
    return new StoredPage(items, { ...envelope, ...parent });
  }

  /** Returns a file or directory. Polls the uploads of a pending file first. */
  async get(applicationId: string, id: string): Promise<StoredResource<T>> {
    const file = await this.files.findOneOrFail(applicationId, id);
    const hasCome =
      file.text('status') === 'pending' && (await this.use.completion.pollFile(applicationId, id));
    return hasCome ? this.files.findOneOrFail(applicationId, id) : file;
  }

  /** Creates a file with an upload form, or a directory. */
  async create(application: ApplicationAccess, post: FilePost, by: Author): Promise<StoredResource<T>> {
    const { type, parentDirectory = '/', ...announced } = post;
    const name = parseName(post.name, 'file.name');
    const names = parsePath(parentDirectory, 'file.parentDirectory');
    checkContentType(announced.contentType, 'file.contentType');
    if (type === 'directory') assertPathFits(names.length + 1, bytesOf([...names, name]), 'file.name');
    const id = newId();
    const expected = type === 'file' ? await this.plan(application.id, id, announced) : undefined;
    const { contentType, fileSize, fileDimensions } = announced;
    const made = {
      id,
      name,
      type,
      authorId: by.id,
      authorType: by.type,
      ...(expected ? { status: 'pending', contentType, fileSize, fileDimensions } : { status: 'completed' }),
    };
    const stored = await this.use.database.queuedTransaction(application.id, async (transaction) => {
      await this.files.hold(application.id, false, transaction);
      const steps = await this.files.walk(application.id, names, transaction);
      const parentId = await this.reach(application, names, steps, 1, by, transaction);
      if (expected) await this.files.assertStorageLimit(application, fileSize, transaction);
      const row = { ...made, parentId } as Changes<StoredFile> as Changes<T>;
      const added = await this.files.add(application.id, row, by, transaction);
      if (expected) await this.use.contents.expect(expected, transaction);
      return added;
    });
    return withForm(stored, expected);
  }

  /** Returns a new upload form for a file, which keeps its content until the upload has completed. */
  async patch(
    application: ApplicationAccess,
    id: string,
    patch: FilePatch,
    by: Author,
  ): Promise<StoredResource<T>> {
    checkContentType(patch.contentType, 'file.contentType');
    const expected = await this.plan(application.id, id, patch);
    const stored = await this.use.database.transaction(async (transaction) => {
      const file = await this.files.lockExisting(application.id, id, transaction);
      if (file.type === 'directory') throw new ValidationError('A directory cannot have content');
      await this.files.assertStorageLimit(application, patch.fileSize, transaction, file);
      await this.use.contents.expect(expected, transaction);
      const announced = file.status === 'pending' ? patch : {};
      return this.files.update(application.id, id, announced as Changes<T>, by, transaction);
    });
    return withForm(stored, expected);
  }

  /** Receives the content of a file as a form part, through the platform. */
  async upload(
    applicationId: string,
    id: string,
    { request, part }: UploadedFile,
    by: Author,
  ): Promise<StoredResource<T>> {
    if ((await this.files.typeOf(applicationId, id)) === 'directory')
      throw new ValidationError('A directory cannot have content');
    let stored: StoredResource<T>;
    const file = { applicationId, fileId: id, kind: this.files.table };
    await this.use.contents.receive(file, request, part, async (transaction) => {
      stored = await this.files.update(applicationId, id, {}, by, transaction);
    });
    return stored!;
  }

  /** Moves or renames a file, or a directory with its contents. */
  async move(
    application: ApplicationAccess,
    id: string,
    { name: newName, parentDirectory }: MoveQuery,
    by: Author,
  ): Promise<StoredResource<T>> {
    const name = newName === undefined ? undefined : parseName(newName, 'name');
    const names = parentDirectory === undefined ? undefined : parsePath(parentDirectory, 'parentDirectory');
    const type = await this.files.typeOf(application.id, id);
    return this.use.database.queuedTransaction(application.id, async (transaction) => {
      await this.files.hold(application.id, type === 'directory', transaction);
      const file = await this.files.lockExisting(application.id, id, transaction);
      const above = await this.files.namesAbove(application.id, id, transaction);
      const place = names ?? above;
      const steps = await this.files.walk(application.id, place, transaction);
      if (type === 'directory') {
        if (steps.some((step) => step.id === id))
          throw new ValidationError('parentDirectory must not be inside the directory itself');
        await this.assertFits(application.id, id, [...place, name ?? file.name], transaction);
      }
      const parentId = await this.reach(application, place, steps, 0, by, transaction);
      const moved = { parentId, name: name ?? file.name } as Changes<StoredFile> as Changes<T>;
      const before = { ...file, parentDirectory: pathOf(above) };
      const stored = await this.files.update(application.id, id, moved, by, transaction);
      const isElsewhere = moved.parentId !== file.parentId || moved.name !== file.name;
      if (isElsewhere && type === 'file' && file.status === 'completed') {
        await this.fireTriggers('delete', before, transaction);
        await this.fireTriggers('create', stored.toObject(), transaction);
      }
      return stored;
    });
  }

  /** Deletes a file, or a directory with its contents. A job deletes large directories. */
  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    const type = await this.files.typeOf(applicationId, id);
    await this.use.database.queuedTransaction(applicationId, async (transaction) => {
      await this.files.hold(applicationId, type === 'directory', transaction);
      await this.files.lockExisting(applicationId, id, transaction);
      if (type === 'file' || (await this.files.emptied(applicationId, id, MAX_SYNC_FILES, transaction))) {
        const dropped = (await this.files.delete(applicationId, id, by, transaction)).toObject();
        if (type === 'file' && dropped.status === 'completed')
          await this.fireTriggers('delete', dropped, transaction);
        return;
      }
      const deleting = { status: 'deleting' } as Changes<StoredFile> as Changes<T>;
      await this.files.update(applicationId, id, deleting, by, transaction);
      await this.use.jobs.enqueue(transaction, this.purge, { applicationId }, by);
    });
    return new Success();
  }

  private plan(applicationId: string, fileId: string, announced: AnnouncedContent): Promise<ExpectedContent> {
    return this.use.contents.plan({ applicationId, fileId, kind: this.files.table }, announced);
  }

  /**
   * Returns the ID of the directory with these names and creates missing ones; `more` is the number of files to be
   * created in it.
   */
  private async reach(
    application: ApplicationAccess,
    names: readonly string[],
    steps: readonly PathStep[],
    more: number,
    by: Author,
    transaction: Transaction,
  ): Promise<string> {
    let at: Pick<PathStep, 'id' | 'type'> = steps.at(-1)!;
    const missing = names.slice(steps.length - 1);
    assertDirectory(at);
    if (missing.length + more > 0)
      await this.files.assertWithinLimit(application, missing.length + more, transaction);
    for (const name of missing) {
      at = await this.files.makeDirectory(application.id, at.id, name, by, transaction);
      assertDirectory(at);
    }
    return at.id;
  }

  private fireTriggers(
    change: 'create' | 'delete',
    file: TriggerFile,
    transaction: Transaction,
  ): Promise<void> {
    return this.use.triggers.fire(change, this.files.table, file, transaction);
  }

  /** Throws 400 if contents of the directory would be too deep or have too long paths. */
  private async assertFits(
    applicationId: string,
    id: string,
    path: readonly string[],
    transaction: Transaction,
  ): Promise<void> {
    const { levels, bytes } = await this.files.extentOf(applicationId, id, transaction);
    assertPathFits(path.length + levels, bytesOf(path) + bytes, 'parentDirectory');
  }
}

/** Returns the directory of a resolved path, if it exists. */
function directoryAt(steps: readonly PathStep[], names: readonly string[]): PathStep | undefined {
  const last = steps.at(-1)!;
  return last.level === names.length && last.type === 'directory' ? last : undefined;
}

function assertDirectory({ type }: Pick<PathStep, 'type'>): void {
  if (type === 'file') throw new ValidationError('parentDirectory contains a file');
}

const withForm = <T>(stored: StoredResource<T>, expected: ExpectedContent | undefined): StoredResource<T> =>
  expected ? stored.withMembers({ upload: JSON.stringify(expected.form) }) : stored;
