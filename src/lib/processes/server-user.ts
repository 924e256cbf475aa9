import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

/** The operating system user a server runs as, in the words of `child_process`. */
export interface ServerUser {
  uid: number;
  gid: number;
}

/**
 * The user that owns `folder` and runs its server: undefined for this process's own, and where this process is root the
 * folder's owner or, at first, the first of `accounts` that exists. No account is ever made. Where root made or copied
 * the folder, it is handed over. Throws a sentence for the operator where the folder belongs to somebody else.
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
  if (owner === 0) giveFolder(folder, user);
  return user;
}

/** Hands `folder` and all within to `user`. */
export function giveFolder(folder: string, user: ServerUser): void {
  const { status, stderr } = spawnSync('chown', ['-Rh', `${user.uid}:${user.gid}`, folder], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${folder} could not be given to user ${user.uid}: ${stderr.trim()}`);
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
