import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** No work takes longer; what is older was left behind by a process that ended. */
const ABANDONED_MS = 24 * 60 * 60_000;

/**
 * Does `work` with a folder of its own below `parent`, which is gone afterwards. What an earlier attempt at the work of this
 * name has left there goes first: whoever still had it would write nothing.
 */
export async function inWorkFolder<T>(
  parent: string,
  name: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const prefix = `${name}~`;
  const folder = join(parent, prefix + randomUUID());
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const other of await readdir(parent)) if (other.startsWith(prefix)) await remove(join(parent, other));
  await mkdir(folder, { mode: 0o700 });
  try {
    return await work(folder);
  } finally {
    await remove(folder);
  }
}

/** Removes folders that killed processes left behind. */
export async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const folder = join(parent, name);
    const made = await stat(folder).catch(() => undefined);
    if (made && Date.now() - made.mtimeMs > ABANDONED_MS) await remove(folder);
  }
}

const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });
