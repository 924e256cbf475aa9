import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** No import takes longer; what is older was left behind by a process that ended. */
const ABANDONED_MS = 24 * 60 * 60_000;

/** Does `work` with a folder of its own below `parent`, which is gone afterwards, with whatever a killed process left there. */
export async function inWorkFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(parent, randomUUID());
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await removeAbandoned(parent);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    const made = await stat(folder).catch(() => undefined);
    if (made && Date.now() - made.mtimeMs > ABANDONED_MS) await rm(folder, { recursive: true, force: true });
  }
}
