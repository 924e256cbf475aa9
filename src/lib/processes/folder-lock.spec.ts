import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from './folder-lock.js';

describe('lockFolder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fieldwright-lock-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('grants the folder to one of many concurrent callers, and to the next one when it is released', async () => {
    const taken = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
    const winners = taken.filter((result) => result.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    await winners[0]!.value();
    await (
      await lockFolder(folder)
    )();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['whose holder is gone', `${process.pid} 1 ${'0'.repeat(32)}`],
    ['that was never written to the end', ''],
    ['that says nothing sensible', 'a b c'],
  ])('takes over a lock %s', async (_case, content) => {
    await writeFile(join(folder, 'lock'), content);
    await (
      await lockFolder(folder)
    )();
    expect(await readdir(folder)).toEqual([]);
  });

  it('takes over a lock whose port is now used by another program', async () => {
    const other = await mkdtemp(join(tmpdir(), 'fieldwright-lock-'));
    const release = await lockFolder(other);
    const [pid, port] = (await readFile(join(other, 'lock'), 'utf8')).split(' ');
    await writeFile(join(folder, 'lock'), `${pid} ${port} ${'0'.repeat(32)}`);
    await (
      await lockFolder(folder)
    )();
    await release();
    await rm(other, { recursive: true });
  });
});
