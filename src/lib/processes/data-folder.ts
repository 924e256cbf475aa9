import { accessSync, constants, existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, sep } from 'node:path';

/**
 * Creates the data folder and makes it private. If root starts the platform, the users of the private servers can
 * traverse the folder, but not list it.
 */
export async function closeDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await chmod(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
  } catch {
    // The next access to the folder reports the problem. A folder of another user is closed by that user.
  }
}

const ERROR_MESSAGES: Readonly<Record<string, string>> = {
  EACCES: 'this user is not allowed to read or write it',
  EPERM: 'this user is not allowed to read or write it',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  ENOTDIR: 'there is a file instead of a folder',
  EEXIST: 'there is a file instead of a folder',
  EISDIR: 'there is a folder instead of a file',
};

/**
 * Converts a file error below `dataDir` to an error with a message for the operator; returns other errors unchanged.
 */
export function dataDirError(error: Error & NodeJS.ErrnoException, dataDir: string): Error {
  const { path = '' } = error;
  const isWithin = path === dataDir || path.startsWith(dataDir + sep);
  const meaning = isWithin ? ERROR_MESSAGES[codeOf(error, path)] : undefined;
  return meaning ? new Error(`DATA_DIR: ${path} cannot be used: ${meaning}.`) : error;
}

/** Node reports ENOENT if a parent folder cannot be created; returns the error code of the parent. */
function codeOf({ code = '', syscall }: NodeJS.ErrnoException, path: string): string {
  if (code !== 'ENOENT' || syscall !== 'mkdir') return code;
  let above = dirname(path);
  while (!existsSync(above)) above = dirname(above);
  try {
    accessSync(above, constants.W_OK);
    return code;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? code;
  }
}
