import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataDirError } from './data-folder.js';

const failure = (code: string, path: string) => Object.assign(new Error(`${code}: no`), { code, path });

describe('dataDirError', () => {
  it.each([
    ['EACCES', 'this user is not allowed to read or write it'],
    ['EROFS', 'it is on a read-only file system'],
    ['ENOSPC', 'the disk is full'],
  ])('explains %s', (code, meaning) => {
    const { message } = dataDirError(failure(code, '/data/postgres/password'), '/data');
    expect(message).toBe(`DATA_DIR: /data/postgres/password cannot be used: ${meaning}.`);
  });

  it('explains a file instead of the folder, or above it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fieldwright-data-'));
    const dataDir = join(folder, 'file');
    await writeFile(dataDir, '');
    for (const path of [dataDir, join(dataDir, 'postgres')]) {
      const error = await mkdir(path, { recursive: true }).catch((error: Error) => error);
      expect(dataDirError(error as Error, dataDir).message).toMatch(
        /^DATA_DIR: .* there is a file instead of a folder\.$/,
      );
    }
    rmSync(folder, { recursive: true });
  });

  it('returns other errors unchanged', () => {
    for (const error of [failure('EACCES', '/database'), failure('EINVAL', '/data/x'), new Error('other')])
      expect(dataDirError(error, '/data')).toBe(error);
  });
});
