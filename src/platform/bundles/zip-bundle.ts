import { open, type FileHandle } from 'node:fs/promises';
import { Transform, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { fromFdPromise, type Entry, type ZipFile } from 'yauzl';
import { ValidationError } from '../../lib/errors/errors.js';

/** Limits of a zip file. The archive is untrusted, including every number in it. */
export interface ZipBounds {
  /** Maximum number of files, and of folders. */
  files: number;
  /** Maximum total size of all files, uncompressed, in bytes. */
  bytes: number;
  /** Maximum ratio of uncompressed to compressed size, beyond the first `RATIO_EXEMPT_BYTES` bytes. */
  ratio: number;
}

/** Limits of uploaded bundles: 256 MiB unpack to at most 2 GiB. */
export const BUNDLE_BOUNDS: ZipBounds = { files: 50_000, bytes: 2 * 1024 ** 3, ratio: 100 };
/** Uncompressed size in bytes that every bundle may have, regardless of the ratio. */
const RATIO_EXEMPT_BYTES = 16 * 1024 ** 2;

const MAX_PATH_LENGTH = 2_048;
const MAX_PATH_DEPTH = 120;
/** Host system in the central directory: on Unix, the attributes contain the file type. */
const UNIX = 3;
const TYPE_MASK = 0o170000;
const REGULAR = 0o100000;
const DIRECTORY = 0o040000;
const SYMBOLIC_LINK = 0o120000;
const ENCRYPTED = 0x1;
const UTF8 = 0x800;
const STORED = 0;
const DEFLATED = 8;
/** Minimum sizes of the local header before each file, and of an entry in the central directory. */
const MIN_HEADER_BYTES = 30;
const MIN_ENTRY_BYTES = 46;
/** Maximum size of the central directory: names, comments and other data of each file. */
const MAX_DIRECTORY_BYTES = 16 * 1024 ** 2;
const FORBIDDEN = /[\\\p{Cc}]|^[a-zA-Z]:/u;

/** Files of a bundle, by path. */
export interface BundleFiles {
  /** Paths of all files, in the order of the bundle. */
  readonly paths: readonly string[];
  has(path: string): boolean;
  /** Returns the size of a file in bytes; 0 if it does not exist. */
  sizeOf(path: string): number;
  /**
   * Returns the content, which must be consumed or destroyed. Fails with a `400` error if it does not match its
   * directory entry.
   */
  read(path: string): Promise<Readable>;
  close(): Promise<void>;
}

/**
 * Opens an untrusted zip file. Reads the whole central directory and throws a `400` error for anything that could fill
 * the disk, keep the processor busy or use misleading names. Nothing is unpacked yet, and never to a path taken from
 * the bundle.
 */
export async function openZip(file: string, bounds: ZipBounds = BUNDLE_BOUNDS): Promise<BundleFiles> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const zip = await assertReadable(() =>
      fromFdPromise(handle.fd, { autoClose: false, decodeStrings: false, lazyEntries: true }),
    );
    if (zip.entryCount > bounds.files)
      throw new ValidationError(`${BUNDLE} has more than ${bounds.files} files`);
    return new ZipBundle(handle, zip, await readDirectory(zip, size, bounds));
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const BUNDLE = 'importBundle';

/** Returns a text file of a bundle with at most `max` bytes, without its byte order mark. */
export async function bundleText(files: BundleFiles, path: string, max: number): Promise<string> {
  if (files.sizeOf(path) > max) throw new ValidationError(`${path} has more than ${max} bytes`);
  const content = await buffer(await files.read(path));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new ValidationError(`${path} is not in UTF-8`);
  }
}

class ZipBundle implements BundleFiles {
  readonly paths: readonly string[];
  /** Folder to which all paths are relative: some bundles have everything in one folder. */
  private readonly root: string;

  constructor(
    private readonly handle: FileHandle,
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {
    this.root = rootOf([...entries.keys()]);
    this.paths = [...entries.keys()]
      .filter((path) => path.startsWith(this.root))
      .map((path) => path.slice(this.root.length));
  }

  has(path: string): boolean {
    return this.entries.has(this.root + path);
  }

  sizeOf(path: string): number {
    return this.entries.get(this.root + path)?.uncompressedSize ?? 0;
  }

  async read(path: string): Promise<Readable> {
    const entry = this.entries.get(this.root + path);
    if (!entry) throw new ValidationError(`${BUNDLE} has no file ${displayName(path)}`);
    const content = await assertReadable(() => this.zip.openReadStreamPromise(entry));
    const checked = new IntegrityCheck(entry, path);
    content.on('error', () => checked.destroy(corruptZip(path)));
    checked.on('close', () => void content.destroy());
    // A reader that starts later is notified by the stream itself. Without a reader, the error must not end the
    // process.
    checked.on('error', () => undefined);
    return content.pipe(checked);
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}

/** Passes content on as long as it matches the central directory. */
class IntegrityCheck extends Transform {
  private came = 0;
  private sum = 0;

  constructor(
    private readonly entry: Pick<Entry, 'uncompressedSize' | 'crc32'>,
    private readonly path: string,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _: unknown, done: (error: Error | null, chunk?: Buffer) => void): void {
    this.came += chunk.length;
    this.sum = crc32(chunk, this.sum);
    if (this.came > this.entry.uncompressedSize) done(corruptZip(this.path));
    else done(null, chunk);
  }

  override _flush(done: (error?: Error | null) => void): void {
    const whole = this.came === this.entry.uncompressedSize && this.sum === this.entry.crc32;
    done(whole ? null : corruptZip(this.path));
  }
}

const corruptZip = (path: string) => new ValidationError(`${BUNDLE} is damaged at ${displayName(path)}`);

/** Returns a path as shown in messages. */
export const displayName = (path: string): string => JSON.stringify(path.slice(0, 100).toWellFormed());

async function assertReadable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ValidationError) throw error;
    throw new ValidationError(`${BUNDLE} is not a valid zip file`);
  }
}

/** Returns all files by path. Throws a `400` error if the central directory is invalid. */
async function readDirectory(zip: ZipFile, size: number, bounds: ZipBounds): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  const folders = new Set<string>();
  const extents: [number, number][] = [];
  let bytes = 0;
  let listed = 0;
  const max = Math.min(bounds.bytes, Math.max(RATIO_EXEMPT_BYTES, size * bounds.ratio));
  await assertReadable(async () => {
    for await (const entry of zip.eachEntry()) {
      listed += MIN_ENTRY_BYTES + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (listed > MAX_DIRECTORY_BYTES)
        throw new ValidationError(`${BUNDLE} has a central directory that is too large`);
      const path = pathOf(entry);
      if (path === '' || path.endsWith('/')) continue;
      checkEntry(entry, path);
      bytes += entry.uncompressedSize;
      if (bytes > max) throw new ValidationError(`${BUNDLE} has more than ${max} bytes when unpacked`);
      if (entries.has(path)) throw new ValidationError(`${BUNDLE} contains ${displayName(path)} twice`);
      entries.set(path, entry);
      addFolders(folders, path, bounds.files);
      const begin = entry.relativeOffsetOfLocalHeader;
      extents.push([begin, begin + MIN_HEADER_BYTES + entry.compressedSize]);
    }
  });
  for (const folder of folders)
    if (entries.has(folder)) throw new ValidationError(`${BUNDLE} contains ${displayName(folder)} twice`);
  checkExtents(extents, size);
  return entries;
}

/** Adds the folders of a path, deepest first. Without a maximum, deep paths would take a minute of the event loop. */
function addFolders(folders: Set<string>, path: string, max: number): void {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const folder = path.slice(0, at);
    if (folders.has(folder)) return;
    folders.add(folder);
    if (folders.size > max) throw new ValidationError(`${BUNDLE} has more than ${max} folders`);
  }
}

/** Overlapping contents would let a small file unpack to a large one. */
function checkExtents(extents: [number, number][], size: number): void {
  extents.sort(([a], [b]) => a - b);
  extents.forEach(([, end], i) => {
    if (end > (extents[i + 1]?.[0] ?? size)) throw new ValidationError(`${BUNDLE} has overlapping files`);
  });
}

function checkEntry(entry: Entry, path: string): void {
  const refuse = (why: string) => {
    throw new ValidationError(`${BUNDLE} has a file that ${why}: ${displayName(path)}`);
  };
  if (entry.generalPurposeBitFlag & ENCRYPTED) refuse('is encrypted');
  if (![STORED, DEFLATED].includes(entry.compressionMethod))
    refuse('is compressed with an unsupported method');
  const type = entry.versionMadeBy >>> 8 === UNIX ? (entry.externalFileAttributes >>> 16) & TYPE_MASK : 0;
  if (type === SYMBOLIC_LINK) refuse('is a link');
  if (type !== 0 && type !== REGULAR && type !== DIRECTORY) refuse('is not a regular file');
}

/** Returns the normalized path of a file. Throws a `400` error if it leads outside the bundle. */
function pathOf(entry: Entry): string {
  // With `decodeStrings: false`, names are bytes, contrary to their type.
  const raw = entry.fileName as unknown as Buffer;
  const said = decoded(raw, (entry.generalPurposeBitFlag & UTF8) !== 0).normalize('NFC');
  // Some tools prefix every path with `./`.
  const path = said.replace(/^\.\//, '');
  const parts = path.replace(/\/$/, '').split('/');
  const isPlain = said === './' || parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isPlain || FORBIDDEN.test(path))
    throw new ValidationError(`${BUNDLE} has a file with an invalid path: ${displayName(path)}`);
  if (raw.length > MAX_PATH_LENGTH || parts.length > MAX_PATH_DEPTH)
    throw new ValidationError(`${BUNDLE} has a file whose path is too long: ${displayName(path)}`);
  return path;
}

/** Names must be UTF-8, whether flagged as such or not: any other encoding is an unspecified code page. */
function decoded(raw: Buffer, isSaid: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    const why = isSaid ? 'is flagged as UTF-8 but is not' : 'is not in UTF-8';
    throw new ValidationError(
      `${BUNDLE} has a file whose name ${why}: ${displayName(raw.toString('latin1'))}`,
    );
  }
}

/** Returns the folder of `application.yaml`: the root of the bundle, or the one folder that contains everything. */
function rootOf(paths: readonly string[]): string {
  if (paths.includes(APPLICATION_FILE)) return '';
  const tops = new Set(paths.filter((path) => !HIDDEN_FILE.test(path)).map((path) => path.split('/')[0]!));
  const [top] = tops;
  return tops.size === 1 && paths.includes(`${top}/${APPLICATION_FILE}`) ? `${top}/` : '';
}

/** Files that operating systems and repositories add. */
export const HIDDEN_FILE = /(^|\/)(\.|__MACOSX\/)/;

/** File that every bundle contains. */
export const APPLICATION_FILE = 'application.yaml';
