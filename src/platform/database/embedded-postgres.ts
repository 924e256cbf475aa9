import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { lockFolder } from '../../lib/processes/folder-lock.js';
import { superviseServerOnFreePort, type PrivateServer } from '../../lib/processes/server-supervisor.js';
import {
  type RunningServer,
  type ServerLog,
  type ServerProgram,
  startServer,
  stopOrphan,
} from '../../lib/processes/server-process.js';
import { changeOwner, type ServerUser, serverUser } from '../../lib/processes/server-user.js';
import { postgresBinaries } from './postgres-binaries.js';

/** Role and database of the platform. The role is not a superuser; no one can connect as one. */
export const NAME = 'fieldwright';

/** A running PostgreSQL server owned by this process. */
export interface EmbeddedPostgres extends PrivateServer {
  /** Connection URL for any program on this machine. */
  url: string;
  /**
   * Connection URL for a Unix socket, which is cheaper than the loopback interface, if the system and the folder's path
   * allow it.
   */
  socketUrl: string;
  /** Shuts the server down cleanly and releases the data folder. */
  stop(): Promise<void>;
}

const homeOf = (dataDir: string): string => join(resolve(dataDir), 'postgres');
const folderIn = (home: string): string => join(home, 'data');

/** Returns whether `dataDir` contains data of an embedded server. */
export function hasEmbeddedPostgres(dataDir: string): boolean {
  return existsSync(folderIn(homeOf(dataDir)));
}

/**
 * Starts a PostgreSQL server on a free port of 127.0.0.1. Its data is in `dataDir/postgres`, created on the first
 * start, reused on later ones, and recovered after a kill. The server runs as an ordinary user even if this process is
 * root. `settings` are PostgreSQL settings that override the defaults here. If it cannot start, for example because
 * another platform process uses the folder, the error message is a sentence for the operator. A server that exits
 * unexpectedly is restarted at the same address; `lost` is called if that fails.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: ServerLog;
  settings?: Readonly<Record<string, string>>;
  lost?: (error: Error) => void;
}): Promise<EmbeddedPostgres> {
  const { log, settings = {} } = options;
  const home = homeOf(options.dataDir);
  const folder = folderIn(home);
  const unlock = await lockFolder(home);
  try {
    const user = serverUser(folder, ['postgres', 'nobody']);
    const binaries = await postgresBinaries(user);
    const program: ServerProgram = {
      name: 'PostgreSQL',
      command: join(binaries, 'postgres'),
      folder,
      user,
      terminate: (pid) => terminate(binaries, pid),
      log,
    };
    const startAt = async (port: number, signal?: AbortSignal): Promise<RunningServer> => {
      await stopOrphan(program, join(folder, 'postmaster.pid'));
      if (SOCKETS) await prepareSocket(folder);
      const args = ['-D', dataPath(folder, user), ...flags({ ...DEFAULTS, ...settings, port: String(port) })];
      return startServer({ ...program, args, env: environment(), ready: READY, signal });
    };
    const passwordFile = join(home, 'password');
    if (!existsSync(folder))
      await initialise({ binaries, folder, user, passwordFile, sync: settings.fsync !== 'off' });
    const password = await readFile(passwordFile, 'utf8');
    const { server, port } = await superviseServerOnFreePort({
      ...program,
      lost: options.lost,
      start: startAt,
    });
    const stop = async (): Promise<void> => {
      await server.stop();
      await unlock();
    };
    let stopped: Promise<void> | undefined;
    const url = `postgresql://${NAME}:${password}@127.0.0.1:${port}/${NAME}`;
    return {
      url,
      get isRunning() {
        return server.isRunning;
      },
      socketUrl: hasSocket(folder, port) ? `${url}?host=${encodeURIComponent(folder)}` : url,
      stop: () => (stopped ??= stop()),
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

const READY = /database system is ready to accept connections/;

const SOCKETS = process.platform !== 'win32';

const DEFAULTS = {
  listen_addresses: '127.0.0.1',
  // The data folder: the server's working directory, which only its user and root can enter.
  unix_socket_directories: SOCKETS ? '.' : '',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failed statements are reported to the caller; the server's log only contains its own events.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

const TCP_RULE = `host all ${NAME} 127.0.0.1/32 scram-sha-256\n`;
const SOCKET_RULE = `local all ${NAME} scram-sha-256\n`;

/**
 * Allows the role to connect over the socket, even if the data folder is from an earlier version, and removes leftovers
 * of killed servers.
 */
async function prepareSocket(folder: string): Promise<void> {
  const rules = join(folder, 'pg_hba.conf');
  if (!(await readFile(rules, 'utf8')).includes(SOCKET_RULE)) await appendFile(rules, `\n${SOCKET_RULE}`);
  const left = (await readdir(folder)).filter((name) => name.startsWith(SOCKET_NAME));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
}

const SOCKET_NAME = '.s.PGSQL.';
/** Maximum length of a socket path in bytes on all systems. */
const MAX_SOCKET_PATH_LENGTH = 103;

/**
 * Returns whether a socket exists that programs can address. The server itself addresses it by its working directory.
 */
function hasSocket(folder: string, port: number): boolean {
  const path = join(folder, `${SOCKET_NAME}${port}`);
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH_LENGTH && existsSync(path);
}

/**
 * Creates the data folder atomically, by building it in a temporary folder and renaming that. UTF-8 with PostgreSQL's
 * built-in locale provides the same sort order and case mapping on every machine, regardless of the machine's locale.
 */
async function initialise(cluster: {
  binaries: string;
  folder: string;
  user: ServerUser | undefined;
  passwordFile: string;
  sync: boolean;
}): Promise<void> {
  const { binaries, user } = cluster;
  const folder = `${cluster.folder}.new`;
  const data = dataPath(folder, user);
  const run = (program: string, args: string[], input: string): Promise<void> =>
    runCommand(join(binaries, program), args, { ...user, cwd: folder, env: environment() }, input);

  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  if (user) changeOwner(folder, user);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const noSync = cluster.sync ? [] : ['--no-sync'];
  await run(
    'initdb',
    ['-D', data, '-U', 'postgres', '--auth=reject', '--no-instructions', ...locale, ...noSync],
    '',
  );
  await writeFile(join(folder, 'pg_hba.conf'), TCP_RULE);

  const password = randomBytes(24).toString('base64url');
  await writeFile(cluster.passwordFile, password, { mode: 0o600 });
  // The single-user server needs no port and no password, and takes the new password from its input, where `ps` does
  // not show it.
  const statements = [
    `CREATE ROLE ${NAME} LOGIN CREATEDB PASSWORD '${password}'`,
    `CREATE DATABASE ${NAME} OWNER ${NAME}`,
  ].join('\n');
  await run(
    'postgres',
    ['--single', '-D', data, ...flags({ exit_on_error: 'on', log_min_error_statement: 'panic' }), 'postgres'],
    statements,
  );
  await rename(folder, cluster.folder);
}

async function runCommand(command: string, args: string[], options: object, input: string): Promise<void> {
  const running = promisify(execFile)(command, args, { ...options, windowsHide: true });
  running.child.stdin?.on('error', () => undefined).end(input);
  await running.catch((error: Error & { stderr?: string }) => {
    throw new Error(`PostgreSQL could not create its data folder: ${error.stderr?.trim() || error.message}`);
  });
}

/**
 * Returns the path of the data folder to pass to the server. If root starts the server as another user, that user may
 * not be able to enter the parent folders. On Linux it is therefore started in the data folder, which root has already
 * entered for it.
 */
function dataPath(folder: string, user: ServerUser | undefined): string {
  return user && process.platform === 'linux' ? '/proc/self/cwd' : folder;
}

/**
 * Keeps locale and PG variables of the environment from the server. Programs on Windows need the system's variables.
 */
function environment(): NodeJS.ProcessEnv | undefined {
  return process.platform === 'win32' ? undefined : { LC_ALL: 'C' };
}

function flags(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Performs a "fast" shutdown: running statements are canceled, and committed data is written. Windows has no signals.
 */
function terminate(binaries: string, pid: number): void {
  if (process.platform === 'win32')
    spawnSync(join(binaries, 'pg_ctl'), ['kill', 'INT', String(pid)], { windowsHide: true });
  else process.kill(pid, 'SIGINT');
}
