import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { deflateSync } from 'node:zlib';
import { packWith } from '../../../test/make/packs.js';
import { applyDelta } from './delta.js';
import { hashOf, oidOf, type GitObject } from './objects.js';
import { PackReader } from './pack-reader.js';
import { packOf } from './pack-writer.js';

const folder = mkdtempSync(join(tmpdir(), 'packs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const blob = (text: string): GitObject => ({ type: 'blob', content: Buffer.from(text) });
const packed = (objects: readonly GitObject[]): Promise<Buffer> =>
  buffer(
    Readable.from(
      packOf(
        objects.map(({ type, content }) => ({
          type,
          size: content.length,
          content: () => Readable.from([content]),
        })),
      ),
    ),
  );
function opened(pack: Buffer): Promise<PackReader> {
  const path = join(folder, 'one.pack');
  writeFileSync(path, pack);
  return PackReader.open(path);
}

it('A written pack can be read back, and Git can read it too', async () => {
  const objects = ['', 'a', 'x'.repeat(15), 'x'.repeat(16), 'long '.repeat(100_000)].map(blob);
  const pack = await packed(objects);
  const reader = await opened(pack);
  for (const object of objects) expect(await reader.read(oidOf(object), 'blob')).toEqual(object);
  await reader.close();
  const git = (args: string[], input?: Buffer) =>
    execFileSync('git', ['-C', folder, ...args], { input, stdio: ['pipe', 'pipe', 'ignore'] }).toString();
  git(['init', '--quiet', '--bare', 'read.git']);
  git(['-C', 'read.git', 'unpack-objects', '-q'], pack);
  expect(git(['-C', 'read.git', 'cat-file', 'blob', oidOf(objects[4]!)])).toHaveLength(500_000);
});

it('Chains of deltas packed by Git can be read, with either form of base reference', async () => {
  const git = (args: string[], input?: string) =>
    execFileSync('git', ['-C', folder, ...args], { input, maxBuffer: 1e8 });
  git(['init', '--quiet', '--bare', 'deltas.git']);
  const text = Array.from({ length: 3_000 }, (_, n) => `line ${n * 7919}`).join('\n');
  const texts = Array.from({ length: 30 }, (_, n) => text.replace('line 0', `changed ${n}`) + 'y'.repeat(n));
  const oids = texts.map((each) =>
    git(['-C', 'deltas.git', 'hash-object', '-w', '--stdin'], each).toString().trim(),
  );
  for (const way of [['--delta-base-offset'], []]) {
    const args = ['-C', 'deltas.git', 'pack-objects', '--stdout', '-q', ...way];
    const pack = git(args, `${oids.join('\n')}\n`);
    expect(pack.length).toBeLessThan(2 * text.length);
    const reader = await opened(pack);
    for (const [n, oid] of oids.entries())
      expect((await reader.read(oid, 'blob')).content.toString()).toBe(texts[n]);
    await reader.close();
  }
});

describe('A pack is rejected', () => {
  const plain = deflateSync('abc');
  const entry = (first: readonly number[], data: Buffer = plain) => Buffer.concat([Buffer.from(first), data]);
  it.each<[string, Buffer]>([
    ['that is none', Buffer.from('no pack at all, but long enough for one')],
    ['that breaks off', packWith([entry([0x33])], 2)],
    ['with more than it says', packWith([entry([0x33]), entry([0x33])], 1)],
    [
      'of which bytes have changed',
      Buffer.concat([packWith([entry([0x33])]).subarray(0, -1), Buffer.from('x')]),
    ],
    ['with an object that is larger than it says', packWith([entry([0x32])])],
    ['with an object that is smaller than it says', packWith([entry([0x34])])],
    ['with an object of no kind', packWith([entry([0x53])])],
    ['with an object that says it is huge', packWith([entry([0xb3, 0xff, 0xff, 0xff, 0x7f])])],
    ['with a delta of what is before the pack', packWith([entry([0x63, 0x7f])])],
    ['with a delta of itself', packWith([entry([0x63, 0x00])])],
    ['with a delta of what is nowhere', packWith([entry([0x73], Buffer.concat([Buffer.alloc(20), plain]))])],
    ['that has a million objects', packWith([], 1_000_000)],
  ])('%s', async (_, pack) => {
    await expect(opened(pack)).rejects.toThrow(/^leads to a repository/);
  });
});

it.each([
  ['of a base of another size', [4, 1, 1, 65]],
  ['that copies from beyond its base', [3, 3, 0x91, 1, 3]],
  ['that makes more than it says', [3, 1, 2, 65, 65]],
  ['that makes less than it says', [3, 2, 1, 65]],
  ['that breaks off', [3, 2, 2, 65]],
  ['that breaks off within a number', [3, 2, 0x91]],
  ['with a code that there is not', [3, 1, 0]],
  ['without an end of a size', [0x80]],
])('A delta is rejected %s', (_, delta) => {
  expect(() => applyDelta(Buffer.from('abc'), Buffer.from(delta))).toThrow('damaged');
});

it('A delta copies and inserts', () => {
  expect(applyDelta(Buffer.from('abcdef'), Buffer.from([6, 5, 0x91, 3, 2, 1, 65, 0x90, 2])).toString()).toBe(
    'deAab',
  );
});

it('IDs are the same as those of Git', () => {
  expect(oidOf(blob(''))).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
  expect(hashOf('tree', 0).digest('hex')).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
});
