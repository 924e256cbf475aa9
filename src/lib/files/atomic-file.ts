import { mkdir, open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { randomToken } from '../crypto/hashes.js';

/**
 * Writes a file with mode 600, replacing an existing one, and returns its size in bytes. Readers see either the old or
 * the complete new file, even after a crash. A failing content stream leaves no file. Creates missing folders. The
 * partial file is in `partials`, a folder on the same disk.
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
    // The rename survives a power failure only after the folder is synced. Windows cannot sync folders.
    if (process.platform !== 'win32') await withFile(folder, 'r', (handle) => handle.sync());
    return size;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Retries, because the folder may be removed between the two steps by a process that deletes its last file. */
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
