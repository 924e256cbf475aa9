import { mkdir, open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { randomToken } from '../crypto/hashes.js';

/**
 * Writes a file of mode 600, replacing one that is there, and returns its size in bytes. Readers see the old file or
 * the whole new one, also after a crash; a content stream that fails leaves nothing. Folders are made as needed. Until
 * all of it is there it lies in `partials`, a folder of the same disk.
 */
export async function writeFileAtomically(
  file: string,
  content: Readable | Buffer,
  partials = dirname(file),
): Promise<number> {
  const folder = dirname(file);
  await mkdir(partials, { recursive: true, mode: 0o700 });
  const partial = join(partials, `~${randomToken(12)}`);
  try {
    const size = await withFile(partial, 'wx', async (handle) => {
      await writeFile(handle, content);
      await handle.sync();
      return (await handle.stat()).size;
    });
    await moveInto(folder, partial, file);
    // The new name survives a power cut only once its folder is on disk. Windows has no such call.
    if (process.platform !== 'win32') await withFile(folder, 'r', (handle) => handle.sync());
    return size;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Whoever takes the last file out of the folder may remove it, also between these two steps. */
async function moveInto(folder: string, partial: string, file: string): Promise<void> {
  for (let left = 3; ; left--) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      return await rename(partial, file);
    } catch (error) {
      if (left === 0 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

async function withFile<T>(file: string, flags: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, flags, 0o600);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}
