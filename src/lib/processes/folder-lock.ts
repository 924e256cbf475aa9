import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Takes `folder` for this process alone and returns the function that gives it back. Throws a sentence for the operator
 * where another live process holds it; the lock of a process that ended without giving it back counts for nothing.
 *
 * The holder listens on a loopback port and answers with the token in its lock file. A process id alone would not do:
 * it is given anew, and in a restarted container usually to the same program.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'lock');
  const token = randomBytes(16).toString('hex');
  const answer = createServer((socket) => socket.on('error', () => socket.destroy()).end(token)).unref();
  await once(answer.listen(0, '127.0.0.1'), 'listening');
  const { port } = answer.address() as AddressInfo;
  try {
    while (!(await created(path, `${process.pid} ${port} ${token}`))) {
      const held = await settled(path);
      if (held === undefined) continue;
      if (await answers(held)) {
        throw new Error(
          `${folder} is in use by another running Fieldwright (process ${held.split(' ')[0]}); ` +
            'stop that one, or give this one its own DATA_DIR.',
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

async function created(path: string, content: string): Promise<boolean> {
  try {
    await writeFile(path, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** The lock as written, or undefined where it is gone. An empty one is given time: its writer may be between two calls. */
async function settled(path: string): Promise<string | undefined> {
  for (let attempt = 0; ; attempt++) {
    const held = await contentOf(path);
    if (held === undefined || LOCK.test(held) || attempt === 5) return held;
    await delay(100);
  }
}

/** Whether the holder lives. One that accepts but is too busy to speak counts as alive. */
async function answers(held: string): Promise<boolean> {
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

/** Removes the dead lock by way of a rename, so that a lock which took its place in the meantime is put back. */
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
