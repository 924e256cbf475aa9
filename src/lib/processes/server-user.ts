import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

/** Operating system user that a server runs as, with the option names of `child_process`. */
export interface ServerUser {
  uid: number;
  gid: number;
}

/**
 * Returns the user that owns `folder` and runs its server, or `undefined` for the user of this process. If this process
 * is root, it is the owner of the folder or, at first, the first existing user in `accounts`; accounts are never
 * created. A folder that root created or copied is handed over to that user. Throws an error with a message for the
 * operator if the folder belongs to another user.
 */
export function serverUser(folder: string, accounts: readonly string[]): ServerUser | undefined {
  const owner = existsSync(folder) ? statSync(folder).uid : undefined;
  const self = process.getuid?.();
  if (self !== 0) {
    if (self !== undefined && owner !== undefined && owner !== self) {
      throw new Error(
        `${folder} belongs to user ${owner}; start as that user or as root, or change DATA_DIR.`,
      );
    }
    return undefined;
  }
  if (owner) return { uid: owner, gid: statSync(folder).gid };
  const user = firstOf(accounts);
  if (owner === 0) changeOwner(folder, user);
  return user;
}

/** Changes the owner of `folder` and its contents to `user`. */
export function changeOwner(folder: string, user: ServerUser): void {
  const { status, stderr } = spawnSync('chown', ['-Rh', `${user.uid}:${user.gid}`, folder], {
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new Error(`The owner of ${folder} could not be changed to user ${user.uid}: ${stderr.trim()}`);
}

function firstOf(accounts: readonly string[]): ServerUser {
  for (const account of accounts) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number.parseInt(idOf(flag, account), 10));
    if (uid && gid) return { uid, gid };
  }
  throw new Error(
    `This system has none of the users ${accounts.join(', ')}; start as an ordinary user instead of root.`,
  );
}

function idOf(flag: string, account: string): string {
  return spawnSync('id', [flag, account], { encoding: 'utf8' }).stdout ?? '';
}
