import { Inject, Injectable } from '@nestjs/common';
import type { Author } from '../../../../platform/audit/author.js';
import { BLOBS, type Blobs } from '../../../../lib/blobs/blobs.js';
import { hashed } from '../../../../lib/blobs/content-md5.js';
import { TemporaryBlobs } from '../../../../platform/blobs/temporary-blobs.js';
import type { BundleFiles } from '../../../../platform/bundles/zip-bundle.js';
import type { Transaction, QueuedTransaction } from '../../../../platform/database/database.js';
import { Unavailable, ValidationError } from '../../../../lib/errors/errors.js';
import { newId } from '../../../../platform/repositories/resource.js';
import { keyOf } from '../../../files/files/file-contents.js';
import { FileTreeRepository } from '../../../files/files/file-tree.repository.js';
import {
  bytesOf,
  checkContentType,
  assertPathFits,
  parseName,
  parsePath,
} from '../../../files/files/file-path.js';
import { FilesRepository } from '../../../files/files/files.repository.js';
import type { StoredFile } from '../../../files/files/stored-file.js';
import { PrivateFilesRepository } from '../../../files/private-files/private-files.repository.js';
import { ImportedRowsRepository } from '../imported-rows.repository.js';
import type { ImportTask, ImportProgress } from '../asked/import-task.js';
import type { PlannedRow, PlannedRows } from '../planned/planned-rows.js';
import type { Problems } from '../problems.js';

/** File or directory to create: its path and, for a file, its content in a temporary blob. */
interface PendingFile {
  directory: readonly string[];
  name: string;
  /** Absent for directories. */
  content?: { contentKey: string; fileSize: number; s3etag: string };
}

/** Files and directories to create, keyed by ID. */
export type PendingFiles = ReadonlyMap<string, PendingFile>;

const UNKNOWN_TYPE = 'application/octet-stream';
const BATCH = 500;

/**
 * Imports files and directories. Contents are stored first, invisible to users; the transaction then writes the rows.
 */
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

  /** Stores the contents of files. Contents that are not used are deleted after a day. */
  async store(
    { application }: ImportTask,
    { rows }: PlannedRows,
    files: BundleFiles,
    problems: Problems,
    watch: ImportProgress,
  ): Promise<PendingFiles> {
    const placed = new Map<string, PendingFile>();
    for await (const planned of rows.read()) {
      watch.signal.throwIfAborted();
      const { id, about } = planned;
      try {
        const place = placeOf(planned);
        const isFile = planned.row.type === 'file';
        const content = isFile ? await this.storeContent(application.id, planned, files) : undefined;
        placed.set(id, { ...place, content });
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        problems.add({ ...about, message: error.message });
      }
      if (placed.size % BATCH === 0) await watch.progress('Storing files', placed.size, rows.count);
    }
    return placed;
  }

  /** Writes the rows of files and directories. Contents are merged into existing directories. */
  async write(
    task: ImportTask,
    { bundle, rows }: PlannedRows,
    placed: PendingFiles,
    problems: Problems,
    by: Author,
    transaction: QueuedTransaction,
  ): Promise<void> {
    const tree = this.trees.get(bundle.holding.table)!;
    const { id: applicationId } = task.application;
    await tree.hold(applicationId, false, transaction);
    const directories = new DirectoryTree(tree, applicationId, by, transaction);
    for await (const batch of rows.batches(BATCH)) {
      const made: PlannedRow[] = [];
      for (const planned of batch) {
        const place = placed.get(planned.id);
        if (!place) continue;
        const { directory, name, content } = place;
        const parentId = await directories.resolve(content ? directory : [...directory, name]);
        if (parentId === undefined)
          problems.add({
            ...planned.about,
            message: 'A file exists at this path or at one of its parent directories',
          });
        else if (content) {
          const authored = { authorId: by.id, authorType: by.type, status: 'completed' };
          made.push({ ...planned, row: { ...planned.row, ...content, ...authored, name, parentId } });
        }
      }
      await this.add(task, bundle, made, problems, by, transaction);
    }
  }

  private async storeContent(
    applicationId: string,
    { id, row, content }: PlannedRow,
    files: BundleFiles,
  ): Promise<PendingFile['content']> {
    if (content === undefined || !files.has(content))
      throw new ValidationError('Its content is not in the bundle');
    const contentKey = keyOf({ applicationId, fileId: id, id: newId() });
    const contentType = (row.contentType as string | undefined) ?? UNKNOWN_TYPE;
    const { content: read, md5 } = hashed(await files.read(content));
    await this.temporary.put(contentKey, read, { contentType });
    const { bytes } = (await this.blobs.find(contentKey))!;
    return { contentKey, fileSize: bytes, s3etag: md5() };
  }

  private async add(
    task: ImportTask,
    bundle: PlannedRows['bundle'],
    made: readonly PlannedRow[],
    problems: Problems,
    by: Author,
    transaction: Transaction,
  ): Promise<void> {
    if (made.length === 0) return;
    const all = made.map(({ row, id }) => ({ ...row, id }));
    const stored = await this.rows.add(bundle, task.application.id, all, by, transaction);
    for (const { id, about, row } of made) {
      if (!stored.has(id)) {
        if (task.conflictBehavior === 'retain') continue;
        problems.add({ ...about, message: 'A file or directory with this name already exists' });
      } else if (!(await this.temporary.makePermanent(String(row.contentKey), transaction)))
        throw new Unavailable('The content of a file was deleted during the import');
    }
  }
}

/** Returns the path of a file or directory. Throws `400` if it is invalid. */
function placeOf({ row, resource }: PlannedRow): Pick<PendingFile, 'directory' | 'name'> {
  const { name: given, contentType, type } = row as Pick<StoredFile, 'name' | 'contentType' | 'type'>;
  const { parentDirectory = '/' } = resource as Partial<StoredFile>;
  const directory = parsePath(parentDirectory, 'file.parentDirectory');
  const name = parseName(given, 'file.name');
  checkContentType(contentType, 'file.contentType');
  if (type === 'directory') assertPathFits(directory.length + 1, bytesOf([...directory, name]), 'file.name');
  return { directory, name };
}

/** Directories of a file tree; creates missing ones. */
class DirectoryTree {
  private readonly known = new Map<string, string | undefined>([['', '']]);

  constructor(
    private readonly tree: FileTreeRepository<StoredFile>,
    private readonly applicationId: string,
    private readonly by: Author,
    private readonly transaction: Transaction,
  ) {}

  /** Returns the ID of the directory with this path, or `undefined` if the path contains a file. */
  async resolve(names: readonly string[]): Promise<string | undefined> {
    const key = names.join('/');
    if (this.known.has(key)) return this.known.get(key);
    const parentId = await this.resolve(names.slice(0, -1));
    const id = parentId === undefined ? undefined : await this.create(parentId, names.at(-1)!);
    this.known.set(key, id);
    return id;
  }

  private async create(parentId: string, name: string): Promise<string | undefined> {
    const { tree, applicationId, by, transaction } = this;
    const made = await tree.makeDirectory(applicationId, parentId, name, by, transaction);
    return made.type === 'directory' ? made.id : undefined;
  }
}
