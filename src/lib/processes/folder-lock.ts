import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Locks `folder` for this process and returns the function that releases it. Throws an error with a message for the
 * operator if another live process holds the lock. The lock of a process that ended without releasing it is ignored.
 * `setting` is the setting by which the operator can choose another folder.
 *
 * The holder listens on a loopback port and responds with the token in its lock file. A process ID is not sufficient:
 * IDs are reused, and in a restarted container usually by the same program.
 */
export async function lockFolder(folder: string, setting = 'DATA_DIR'): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'lock');
  const token = randomBytes(16).toString('hex');
  const answer = createServer((socket) => socket.on('error', () => socket.destroy()).end(token)).unref();
  await once(answer.listen(0, '127.0.0.1'), 'listening');
  const { port } = answer.address() as AddressInfo;
  try {
    while (!(await createLock(path, `${process.pid} ${port} ${token}`))) {
      const held = await readLock(path);
      if (held === undefined) continue;
      if (await isOwnerAlive(held)) {
        throw new Error(
          `${folder} is in use by another running Fieldwright (process ${held.split(' ')[0]}); ` +
            `stop that one, or set a different ${setting} for this one.`,
        );
      }
      await remove(path, held, token);
    }
  } catch (error) {
    answer.close();
    throw error;
  }
  return async () => {
    await rm(path, { force: true });
    answer.close();
  };
}

/** Process id, port, token. */
const LOCK = /^(\d+) (\d{1,5}) ([0-9a-f]{32})$/;

async function createLock(path: string, content: string): Promise<boolean> {
  try {
    await writeFile(path, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Returns the contents of the lock file, or `undefined` if it does not exist. Waits if it is empty, because its writer
 * may be between two calls.
 */
async function readLock(path: string): Promise<string | undefined> {
  for (let attempt = 0; ; attempt++) {
    const held = await contentOf(path);
    if (held === undefined || LOCK.test(held) || attempt === 5) return held;
    await delay(100);
  }
}

/**
 * Returns whether the holder is alive. A holder that accepts connections but is too busy to respond counts as alive.
 */
async function isOwnerAlive(held: string): Promise<boolean> {
  const [, , port, token] = LOCK.exec(held) ?? [];
  if (!token) return false;
  const socket = connect(Number(port), '127.0.0.1');
  let silent = false;
  socket.setTimeout(5_000, () => {
    silent = true;
    socket.destroy();
  });
  return text(socket).then(
    (answer) => answer === token,
    () => silent,
  );
}

/** Removes a stale lock by renaming it first, so that a concurrently created lock can be put back. */
async function remove(path: string, held: string, token: string): Promise<void> {
  const aside = `${path}.${token}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  if ((await contentOf(aside)) === held) await rm(aside);
  else await rename(aside, path);
}

async function contentOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
