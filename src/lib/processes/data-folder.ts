import { accessSync, constants, existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, sep } from 'node:path';

/**
 * Makes the folder of all that is kept, and makes it nobody else's. Where root starts the platform, the users of the private
 * servers may pass through it, and see nothing of what is in it.
 */
export async function closeDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await chmod(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
  } catch {
    // Whoever needs it next says what is wrong with it; one that belongs to somebody else is theirs to close.
  }
}

const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read or write it',
  EPERM: 'this user may not read or write it',
  EROFS: 'it is on a file system that cannot be written',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  ENOTDIR: 'there is a file where a folder has to be',
  EEXIST: 'there is a file where a folder has to be',
  EISDIR: 'there is a folder where a file has to be',
};

/** A failure with files below `dataDir` as a sentence for the operator; other errors as they are. */
export function dataDirError(error: Error & NodeJS.ErrnoException, dataDir: string): Error {
  const { path = '' } = error;
  const isWithin = path === dataDir || path.startsWith(dataDir + sep);
  const meaning = isWithin ? MEANINGS[codeOf(error, path)] : undefined;
  return meaning ? new Error(`DATA_DIR: ${path} cannot be used: ${meaning}.`) : error;
}

/** Where folders cannot be made on the way to one that is asked for, Node says that they are not there. */
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
