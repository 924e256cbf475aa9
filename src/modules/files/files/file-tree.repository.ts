import type { Repository } from 'typeorm';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { countSql } from '../../../platform/counts/counts.js';
import type { Database, Transaction, WaitingTransaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound, Unavailable } from '../../../lib/errors/errors.js';
import type { Holding } from '../../../platform/holdings/holding.js';
import { demandWithinLimit, limitedOwner } from '../../../platform/holdings/limits.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runList } from '../../../platform/lists/run-list.js';
import { ApplicationRepository } from '../../../platform/repositories/repository.js';
import { demandStorage } from '../../../platform/holdings/storage-limit.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { StoredPage } from '../../../platform/responses/answers.js';
import { treeSql } from './file-tree.columns.js';
import type { FileTable } from './file-upload.entity.js';
import type { FileType, StoredFile } from './stored-file.js';

/** One step of a path: what stands at a level of it, from the root, which is 0. */
export interface Step {
  level: number;
  id: string;
  type: FileType;
}

/** What a list shows of all files. */
export interface FileConditions {
  type?: FileType;
  status?: string;
  /** The id of the directory; empty for the root. */
  parentId?: string;
}

/** How deep what is below a directory goes. */
export interface Extent {
  levels: number;
  bytes: number;
}

/** One key of advisory locks for each tree; nothing else has the first half. */
export const TREE = 0x66696c65;
const BATCH = 1_000;

/**
 * The rows of a tree of files. What is made or moved is made by path, while nobody moves or deletes directories: who changes
 * the tree above others' files has it for themselves, and all others share it.
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

  /** Until the transaction ends no directory of the application moves or goes; with `alone`, nothing else is made either. */
  hold(applicationId: string, alone: boolean, transaction: WaitingTransaction): Promise<void> {
    return transaction.lock([TREE, this.table + applicationId], alone ? 'alone' : 'shared');
  }

  /** A page of files. */
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

  /** What stands at the levels of a path, from the root as far as it goes. */
  async walk(
    applicationId: string,
    names: readonly string[],
    runner: Pick<Transaction, 'rows'> = this.database,
  ): Promise<Step[]> {
    return runner.rows<Step>(prepared(this.sql.walk, [applicationId, names]));
  }

  /** What a row is, or 404: also where it is being deleted. */
  async typeOf(applicationId: string, id: string): Promise<FileType> {
    const [row] = await this.database.run(prepared(this.sql.typeOf, [applicationId, id]));
    if (!row) throw new NotFound(this.files.title);
    return row[0] as FileType;
  }

  /** As `lock`; 404 also where it is being deleted. */
  async lockThere(applicationId: string, id: string, transaction: Transaction): Promise<T> {
    const file = await this.lock(applicationId, id, transaction);
    if (file.status === 'deleting') throw new NotFound(this.files.title);
    return file;
  }

  /** The names of the directories that lead to a file, from the root on. */
  async namesAbove(applicationId: string, id: string, transaction: Transaction): Promise<string[]> {
    const [row] = await transaction.run(prepared(this.sql.directory, [applicationId, id]));
    return row![0]!.split('/').slice(1, -1);
  }

  /** 400 where the application may not have so many files more. */
  async demandRoom(application: ApplicationAccess, more: number, { manager }: Transaction): Promise<void> {
    const used = countSql('$2', `'${this.files.count!}'`);
    const owner = limitedOwner(application);
    await demandWithinLimit(manager, owner, this.files.limit!, used, [application.id], more);
  }

  /** 400 where the owner may not store what is announced, in the place of the content of `file`. */
  async demandStorage(
    application: ApplicationAccess,
    announced: number | undefined,
    { manager }: Transaction,
    file?: T,
  ): Promise<void> {
    const there = file?.contentKey ? Number(file.fileSize) : 0;
    if (announced !== undefined && announced > there)
      await demandStorage(manager, application, announced - there);
  }

  /** Makes a directory, unless another has made it meanwhile; what stands there then. */
  async makeDirectory(
    applicationId: string,
    parentId: string,
    name: string,
    by: Author,
    transaction: Transaction,
  ): Promise<Omit<Step, 'level'>> {
    const values = [newId(), applicationId, parentId, name, by.id, by.type];
    const [made] = await transaction.rows<Step>(prepared(this.sql.makeDirectory, values));
    if (made) return made;
    const [found] = await transaction.rows<Step>(prepared(this.sql.child, [applicationId, parentId, name]));
    // A file of that name that moved or went in between.
    if (!found) throw new Unavailable('The directory is being changed by others, try again');
    return found;
  }

  /** How far directories go down from one. */
  async extentOf(applicationId: string, id: string, transaction: Transaction): Promise<Extent> {
    const [extent] = await transaction.rows<Extent>(prepared(this.sql.extent, [applicationId, id]));
    return extent!;
  }

  /** Removes what is below a directory where it is no more than `most`; whether it was. */
  async emptied(applicationId: string, id: string, most: number, transaction: Transaction): Promise<boolean> {
    const below = await transaction.run(prepared(this.sql.below, [applicationId, id, most + 1]));
    if (below.length > most) return false;
    const ids = below.map(([found]) => found!);
    if (ids.length > 0) await transaction.run(prepared(this.sql.remove, [applicationId, ids]));
    return true;
  }

  /** Removes all directories of an application that are being deleted, with what they hold. Begun again it goes on. */
  async removeDeleted(applicationId: string, signal: AbortSignal): Promise<void> {
    const { spreadDeletion, removeFiles, removeEmpty } = this.sql;
    for (const text of [spreadDeletion, removeFiles, removeEmpty])
      do signal.throwIfAborted();
      while ((await this.database.run(prepared(text, [applicationId, BATCH]))).length > 0);
  }
}
