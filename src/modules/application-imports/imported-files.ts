import { Inject, Injectable } from '@nestjs/common';
import type { Author } from '../../platform/audit/author.js';
import { BLOBS, type Blobs } from '../../platform/blobs/blobs.js';
import { TemporaryBlobs } from '../../platform/blobs/temporary-blobs.js';
import type { BundleFiles } from '../../platform/bundles/zip-bundle.js';
import type { Transaction } from '../../platform/database/database.js';
import { Unavailable } from '../../platform/errors/errors.js';
import { newId } from '../../platform/resource.js';
import { keyOf } from '../files/file-contents.js';
import { FileTreeRepository } from '../files/file-tree.repository.js';
import { nameOf, partsOf } from '../files/file-path.js';
import { FilesRepository } from '../files/files.repository.js';
import type { StoredFile } from '../files/stored-file.js';
import { PrivateFilesRepository } from '../private-files/private-files.repository.js';
import { ImportedRowsRepository } from './imported-rows.repository.js';
import type { ImportTask, ImportWatch } from './import-task.js';
import type { PlannedRow, PlannedRows } from './planned-rows.js';
import type { Problems } from './problems.js';
import { plainType } from './staged-bundle.js';

/** The content of a file, which is a blob for some time. */
interface StoredContent {
  contentKey: string;
  fileSize: number;
  s3etag: string;
}

/** Contents by the ids of their files. */
export type StoredContents = ReadonlyMap<string, StoredContent>;

const UNKNOWN_TYPE = 'application/octet-stream';
const BATCH = 500;

/** Imports files and directories: contents first, which nobody sees, and then in the transaction the rows that have them. */
@Injectable()
export class ImportedFiles {
  private readonly trees: ReadonlyMap<string, FileTreeRepository<StoredFile>>;

  constructor(
    files: FilesRepository,
    privateFiles: PrivateFilesRepository,
    private readonly rows: ImportedRowsRepository,
    private readonly temporary: TemporaryBlobs,
    @Inject(BLOBS) private readonly blobs: Blobs,
  ) {
    const trees = [files, privateFiles] as unknown as FileTreeRepository<StoredFile>[];
    this.trees = new Map(trees.map((tree) => [tree.table, tree]));
  }

  /** Stores the contents of files. What comes of none is removed after a day. */
  async store(
    { application }: ImportTask,
    { bundle, rows }: PlannedRows,
    files: BundleFiles,
    problems: Problems,
    { signal, progress }: ImportWatch,
  ): Promise<StoredContents> {
    const stored = new Map<string, StoredContent>();
    for await (const { id, name, row, content } of rows.read()) {
      if (row.type !== 'file') continue;
      signal.throwIfAborted();
      if (content === undefined || !files.has(content)) {
        problems.add({
          type: plainType(bundle.resourceType),
          name,
          message: 'Its content is not in the bundle',
        });
        continue;
      }
      const contentKey = keyOf({ applicationId: application.id, fileId: id, id: newId() });
      const contentType = typeof row.contentType === 'string' ? row.contentType : UNKNOWN_TYPE;
      await this.temporary.put(contentKey, await files.read(content), { contentType });
      const facts = (await this.blobs.find(contentKey))!;
      stored.set(id, { contentKey, fileSize: facts.bytes, s3etag: facts.etag });
      if (stored.size % BATCH === 0) await progress('Storing files', stored.size, rows.count);
    }
    return stored;
  }

  /** Stores the rows of files and directories. A directory that is there already takes what the bundle has in it. */
  async write(
    task: ImportTask,
    { bundle, rows }: PlannedRows,
    contents: StoredContents,
    problems: Problems,
    by: Author,
    transaction: Transaction,
  ): Promise<void> {
    const tree = this.trees.get(bundle.holding.table)!;
    const { id: applicationId } = task.application;
    await tree.hold(applicationId, false, transaction);
    const directories = new Directories(tree, applicationId, by, transaction);
    const about = (name: string) => ({ type: plainType(bundle.resourceType), name });
    for await (const batch of rows.batches(BATCH)) {
      const made: (PlannedRow & { row: Record<string, unknown> })[] = [];
      for (const planned of batch) {
        const { row, resource, id, name } = planned;
        const content = contents.get(id);
        if (row.type === 'file' && !content) continue;
        const above = partsOf(String(resource.parentDirectory ?? '/'), 'file.parentDirectory');
        const own = nameOf(String(row.name), 'file.name');
        const parentId = await directories.at(row.type === 'directory' ? [...above, own] : above);
        if (parentId === undefined)
          problems.add({ ...about(name), message: 'Its directory is a file in the application' });
        else if (content) {
          const authored = { authorId: by.id, authorType: by.type };
          const whole = { ...row, ...content, ...authored, id, name: own, parentId, status: 'completed' };
          made.push({ ...planned, row: whole });
        }
      }
      await this.add(task, bundle, made, (name) => about(name), problems, by, transaction);
    }
  }

  private async add(
    task: ImportTask,
    bundle: PlannedRows['bundle'],
    made: readonly PlannedRow[],
    about: (name: string) => { type: string; name: string },
    problems: Problems,
    by: Author,
    transaction: Transaction,
  ): Promise<void> {
    if (made.length === 0) return;
    const all = made.map(({ row, id }) => ({ ...row, id }));
    const stored = await this.rows.add(bundle, task.application.id, all, by, transaction);
    for (const { id, name, row } of made) {
      if (!stored.has(id)) {
        if (task.conflictBehavior === 'retain') continue;
        problems.add({ ...about(name), message: 'There is a file or directory of this name' });
      } else if (!(await this.temporary.keepForGood(String(row.contentKey), transaction)))
        throw new Unavailable('The content of a file was removed meanwhile');
    }
  }
}

/** The directories of a tree, made as far as they are missing. */
class Directories {
  private readonly known = new Map<string, string | undefined>([['', '']]);

  constructor(
    private readonly tree: FileTreeRepository<StoredFile>,
    private readonly applicationId: string,
    private readonly by: Author,
    private readonly transaction: Transaction,
  ) {}

  /** The id of the directory that these names lead to; nothing where they lead through a file. */
  async at(names: readonly string[]): Promise<string | undefined> {
    const key = names.join('/');
    if (this.known.has(key)) return this.known.get(key);
    const parentId = await this.at(names.slice(0, -1));
    const id = parentId === undefined ? undefined : await this.make(parentId, names.at(-1)!);
    this.known.set(key, id);
    return id;
  }

  private async make(parentId: string, name: string): Promise<string | undefined> {
    const { tree, applicationId, by, transaction } = this;
    const made = await tree.makeDirectory(applicationId, parentId, name, by, transaction);
    return made.type === 'directory' ? made.id : undefined;
  }
}
