import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Maximum duration of work. Older folders were left behind by processes that ended. */
const ABANDONED_AFTER_MS = 24 * 60 * 60_000;

/**
 * Runs `work` with a separate folder below `parent`, which is removed afterwards. First removes the folder of an
 * earlier attempt with the same name, so that a process that still uses it cannot write anything.
 */
export async function inWorkFolder<T>(
  parent: string,
  name: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = join(parent, `${name}~${randomUUID()}`);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await removeWorkFolders(parent, name);
  await mkdir(folder, { mode: 0o700 });
  try {
    return await work(folder);
  } finally {
    await remove(folder);
  }
}

/** Removes the folders of all attempts with this name. */
export async function removeWorkFolders(parent: string, name: string): Promise<void> {
  for (const folder of await readdir(parent).catch(() => []))
    if (folder.startsWith(`${name}~`)) await remove(join(parent, folder));
}

/** Removes folders left behind by killed processes. */
export async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const folder = join(parent, name);
    const made = await stat(folder).catch(() => undefined);
    if (made && Date.now() - made.mtimeMs > ABANDONED_AFTER_MS) await remove(folder);
  }
}

const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });
