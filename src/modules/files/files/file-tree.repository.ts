import type { Repository } from 'typeorm';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { countSql } from '../../../platform/counts/counts.js';
import type { Database, Transaction, QueuedTransaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound, Unavailable } from '../../../lib/errors/errors.js';
import type { Holding } from '../../../platform/holdings/holding.js';
import { assertWithinLimit, limitedOwner } from '../../../platform/holdings/limits.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runList } from '../../../platform/lists/run-list.js';
import { ApplicationRepository } from '../../../platform/repositories/repository.js';
import { assertStorageLimit } from '../../../platform/holdings/storage-limit.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { StoredPage } from '../../../platform/responses/stored-resources.js';
import { treeSql } from './file-tree.columns.js';
import type { FileTable } from './file-upload.entity.js';
import type { FileType, StoredFile } from './stored-file.js';

/** A resolved step of a path. The root has level 0. */
export interface PathStep {
  level: number;
  id: string;
  type: FileType;
}

/** Filters of a list of files. */
export interface FileConditions {
  type?: FileType;
  status?: string;
  /** ID of the directory; empty for the root. */
  parentId?: string;
}

/** Depth and path size of the directories below a directory. */
export interface TreeExtent {
  levels: number;
  bytes: number;
}

/** First key of the advisory locks on file trees, one lock per tree. Not used by other locks. */
export const TREE = 0x66696c65;
const BATCH = 1_000;

/**
 * Repository of a tree of files. Files are created and moved by path while directories cannot move or be deleted:
 * operations that change the tree above other files hold an exclusive lock, all others a shared one.
 */
export class FileTreeRepository<T extends StoredFile> extends ApplicationRepository<T> {
  private readonly sql: ReturnType<typeof treeSql>;

  constructor(
    rows: Repository<T>,
    database: Database,
    private readonly files: Holding<T>,
    readonly table: FileTable,
  ) {
    super(rows, database, files);
    this.sql = treeSql(table);
  }

  /**
   * Prevents moves and deletions of directories in the application until the transaction ends; with `alone`, also the
   * creation of files.
   */
  hold(applicationId: string, alone: boolean, transaction: QueuedTransaction): Promise<void> {
    return transaction.lock([TREE, this.table + applicationId], alone ? 'alone' : 'shared');
  }

  /** Returns a page of files that match the filters. */
  async list(
    { id, ownerId }: ApplicationAccess,
    list: ListParameters,
    { type, status, parentId }: FileConditions,
  ): Promise<StoredPage<T>> {
    const values: unknown[] = [id];
    const where = ['t.application_id = $1'];
    const asked = { type, status, directory: parentId };
    const columns = { type: 'type', status: 'status', directory: 'parent_id' };
    for (const name of ['type', 'status', 'directory'] as const)
      if (asked[name] !== undefined) where.push(`t.${columns[name]} = $${values.push(asked[name])}`);
    const searchedBy = (['directory', 'status', 'type'] as const).find((name) => asked[name] !== undefined);
    return runList(this.database, this.shape, {
      table: this.table,
      owner: ownerId,
      where,
      values,
      searchedBy,
      list,
      total: searchedBy ? undefined : countSql('$1', `'${this.files.count!}'`),
    });
  }

  /** Resolves a path from the root as far as it exists. */
  async walk(
    applicationId: string,
    names: readonly string[],
    runner: Pick<Transaction, 'rows'> = this.database,
  ): Promise<PathStep[]> {
    return runner.rows<PathStep>(prepared(this.sql.walk, [applicationId, names]));
  }

  /** Returns the type of a row. Throws 404 if it does not exist or is being deleted. */
  async typeOf(applicationId: string, id: string): Promise<FileType> {
    const [row] = await this.database.run(prepared(this.sql.typeOf, [applicationId, id]));
    if (!row) throw new NotFound(this.files.title);
    return row[0] as FileType;
  }

  /** Like `lock`, but throws 404 also for a directory that is being deleted. */
  async lockExisting(applicationId: string, id: string, transaction: Transaction): Promise<T> {
    const file = await this.lock(applicationId, id, transaction);
    if (file.status === 'deleting') throw new NotFound(this.files.title);
    return file;
  }

  /**
   * Returns the blob keys of the files that have content. Keys are never part of responses; links refer to them for a
   * limited time.
   */
  async contentKeys(applicationId: string, ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.run(prepared(this.sql.contentKeys, [applicationId, ids]));
    return new Map(rows.map(([id, key]) => [id!, key!]));
  }

  /** Returns the names of the directories above a file, starting at the root. */
  async namesAbove(applicationId: string, id: string, transaction: Transaction): Promise<string[]> {
    const [row] = await transaction.run(prepared(this.sql.directory, [applicationId, id]));
    return row![0]!.split('/').slice(1, -1);
  }

  /** Throws 400 if the application would exceed its file limit. */
  async assertWithinLimit(
    application: ApplicationAccess,
    more: number,
    { manager }: Transaction,
  ): Promise<void> {
    const used = countSql('$2', `'${this.files.count!}'`);
    const owner = limitedOwner(application);
    await assertWithinLimit(manager, owner, this.files.limit!, used, [application.id], more);
  }

  /** Throws 400 if announced content, replacing that of `file`, would exceed the owner's storage limit. */
  async assertStorageLimit(
    application: ApplicationAccess,
    announced: number | undefined,
    { manager }: Transaction,
    file?: T,
  ): Promise<void> {
    const there = file?.contentKey ? Number(file.fileSize) : 0;
    if (announced !== undefined && announced > there)
      await assertStorageLimit(manager, application, announced - there);
  }

  /** Creates a directory unless it exists and returns the resulting row. */
  async makeDirectory(
    applicationId: string,
    parentId: string,
    name: string,
    by: Author,
    transaction: Transaction,
  ): Promise<Omit<PathStep, 'level'>> {
    const values = [newId(), applicationId, parentId, name, by.id, by.type];
    const [made] = await transaction.rows<PathStep>(prepared(this.sql.makeDirectory, values));
    if (made) return made;
    const [found] = await transaction.rows<PathStep>(
      prepared(this.sql.child, [applicationId, parentId, name]),
    );
    // A file of that name was moved or deleted concurrently.
    if (!found) throw new Unavailable('The directory is being changed concurrently, try again');
    return found;
  }

  /** Returns the depth and path size of the directories below a directory. */
  async extentOf(applicationId: string, id: string, transaction: Transaction): Promise<TreeExtent> {
    const [extent] = await transaction.rows<TreeExtent>(prepared(this.sql.extent, [applicationId, id]));
    return extent!;
  }

  /** Deletes the contents of a directory if there are at most `max` files. Returns whether they were deleted. */
  async emptied(applicationId: string, id: string, max: number, transaction: Transaction): Promise<boolean> {
    const below = await transaction.run(prepared(this.sql.below, [applicationId, id, max + 1]));
    if (below.length > max) return false;
    const ids = below.map(([found]) => found!);
    if (ids.length > 0) await transaction.run(prepared(this.sql.remove, [applicationId, ids]));
    return true;
  }

  /**
   * Deletes all directories of an application that are marked for deletion, with their contents. A retry resumes the
   * deletion.
   */
  async removeDeleted(applicationId: string, signal: AbortSignal): Promise<void> {
    const { spreadDeletion, removeFiles, removeEmpty } = this.sql;
    for (const text of [spreadDeletion, removeFiles, removeEmpty])
      do signal.throwIfAborted();
      while ((await this.database.run(prepared(text, [applicationId, BATCH]))).length > 0);
  }
}
