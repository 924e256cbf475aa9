import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onFreePort, startServer, type ServerLog } from '../../src/lib/processes/server-process.js';
import { changeOwner, serverUser } from '../../src/lib/processes/server-user.js';

const READY = /database system is ready to accept connections/;
const ROLE = 'fieldwright';

/**
 * Starts a PostgreSQL of the system, such as Debian's, with the programs in the folder `binaries`. Its data is in
 * `dataDir/postgres/data`. The role is a superuser, because only a superuser can remove statistics before version 18.
 */
export async function startSystemPostgres(
  binaries: string,
  options: { dataDir: string; log: ServerLog; settings: Readonly<Record<string, string>> },
): Promise<{ url: string; stop(): Promise<void> }> {
  const home = join(options.dataDir, 'postgres');
  const folder = join(home, 'data');
  const passwordFile = join(home, 'password');
  const password = randomBytes(24).toString('base64url');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  // The user of the server must pass through the folder.
  await chmod(options.dataDir, 0o711);
  const user = serverUser(home, ['postgres', 'nobody']);
  if (user) changeOwner(home, user);
  const environment = { ...user, cwd: folder, env: { LC_ALL: 'C' } };
  await promisify(execFile)(
    join(binaries, 'initdb'),
    ['-D', folder, '-U', ROLE, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync', '-E', 'UTF8'],
    environment,
  );
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...options.settings };
  return onFreePort(async (port) => {
    const { stop } = await startServer({
      name: 'PostgreSQL',
      command: join(binaries, 'postgres'),
      folder,
      user,
      terminate: (pid) => process.kill(pid, 'SIGINT'),
      log: options.log,
      args: [
        '-D',
        folder,
        ...Object.entries({ ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      env: environment.env,
      ready: READY,
    });
    return { url: `postgresql://${ROLE}:${password}@127.0.0.1:${port}/postgres`, stop };
  });
}
