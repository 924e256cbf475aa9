import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onFreePort, startServer } from '../../src/lib/processes/server-process.js';
import { changeOwner, serverUser } from '../../src/lib/processes/server-user.js';

const PROGRAM = '/usr/sbin/mariadbd';
const INSTALLER = '/usr/bin/mariadb-install-db';
const log = { debug: () => undefined, warn: console.warn, error: console.error };

/** Whether this machine has MariaDB. `.ci/run` installs it. */
export const HAS_MARIADB = existsSync(PROGRAM) || process.env.CI === 'true';

export interface MariaDb {
  port: number;
  stop(): Promise<void>;
}

/** Starts a MariaDB whose `root` has the password `Root-Horse-7` and a database `field`. */
export async function startMariaDb(): Promise<MariaDb> {
  const home = await mkdtemp(join(tmpdir(), 'fieldwright-mariadb-'));
  const folder = join(home, 'data');
  await mkdir(folder);
  // The user of the server must pass through the folder.
  await chmod(home, 0o711);
  const user = serverUser(folder, ['mysql', 'nobody']);
  if (user) changeOwner(folder, user);
  await promisify(execFile)(
    INSTALLER,
    ['--no-defaults', `--datadir=${folder}`, '--auth-root-authentication-method=normal', '--skip-test-db'],
    { ...user, cwd: folder },
  );
  const start = async (port: number): Promise<MariaDb> => {
    const server = await startServer({
      name: 'MariaDB',
      command: PROGRAM,
      folder,
      user,
      terminate: (pid) => process.kill(pid, 'SIGTERM'),
      log,
      args: [
        ...['--no-defaults', `--datadir=${folder}`, `--socket=${join(folder, 'socket')}`],
        ...['--bind-address=127.0.0.1', `--port=${port}`, `--init-file=${join(home, 'init.sql')}`],
      ],
      ready: /ready for connections/,
    });
    return { port, stop: () => server.stop() };
  };
  await writeFile(join(home, 'init.sql'), SETUP, { mode: 0o644 });
  const { port, stop } = await onFreePort(start);
  return {
    port,
    async stop() {
      await stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

const SETUP = `ALTER USER root@localhost IDENTIFIED BY 'Root-Horse-7';
CREATE DATABASE IF NOT EXISTS field;
`;
