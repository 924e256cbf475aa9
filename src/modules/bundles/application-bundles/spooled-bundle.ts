import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { BUNDLE_BOUNDS, displayName } from '../../../platform/bundles/zip-bundle.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { hashOf, MAX_OBJECT_BYTES } from '../../../lib/git/objects.js';
import type { PackedObject } from '../../../lib/git/pack-writer.js';
import type { TreeFile } from '../../../lib/git/tree-files.js';
import type { ZippedFile } from '../../../lib/zip/zip.js';

/** Path that Git refuses. */
const FORBIDDEN_PATH = /(^|\/)\.git(\/|$)/i;

/** Files of a bundle, concatenated in one file on disk and addressed as Git objects. */
export class SpooledBundle {
  readonly files: TreeFile[] = [];
  private readonly places = new Map<string, { offset: number; size: number }>();
  private bytes = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly path: string,
  ) {}

  /** Writes the files to a new file. Throws `400` if the bundle would be too large to import again. */
  static async write(
    files: AsyncIterable<ZippedFile>,
    path: string,
    signal: AbortSignal,
  ): Promise<SpooledBundle> {
    const bundle = new SpooledBundle(await open(path, 'w'), path);
    try {
      for await (const file of files) {
        signal.throwIfAborted();
        await bundle.add(file);
      }
      return bundle;
    } catch (error) {
      await bundle.close();
      throw error;
    }
  }

  /** Returns the Git object of a file. */
  object(oid: string): PackedObject {
    const { offset, size } = this.places.get(oid)!;
    return { type: 'blob', size, content: () => this.contentAt(offset, size) };
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private async add({ name, content }: ZippedFile): Promise<void> {
    const offset = this.bytes;
    for await (const chunk of content as AsyncIterable<Buffer>) {
      await this.file.writeFile(chunk);
      this.bytes += chunk.length;
      if (this.bytes - offset > MAX_OBJECT_BYTES)
        throw new ValidationError(
          `${displayName(name)} has more than ${MAX_OBJECT_BYTES} bytes, the limit for a file in a repository`,
        );
      if (this.bytes > BUNDLE_BOUNDS.bytes)
        throw new ValidationError(
          `The bundle has more than ${BUNDLE_BOUNDS.bytes} bytes, the limit for a repository`,
        );
    }
    if (FORBIDDEN_PATH.test(name))
      throw new ValidationError(`${displayName(name)} is not a valid name in a repository`);
    if (this.files.length === BUNDLE_BOUNDS.files)
      throw new ValidationError(
        `The bundle has more than ${BUNDLE_BOUNDS.files} files, the limit for a repository`,
      );
    const size = this.bytes - offset;
    const hash = hashOf('blob', size);
    for await (const chunk of this.contentAt(offset, size)) hash.update(chunk as Buffer);
    const oid = hash.digest('hex');
    this.files.push({ path: name, oid });
    this.places.set(oid, { offset, size });
  }

  private contentAt(at: number, size: number): Readable {
    if (size === 0) return Readable.from([]);
    return createReadStream(this.path, { start: at, end: at + size - 1 });
  }
}
