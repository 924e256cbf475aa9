import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { packedEntry, packWith } from '../../../test/make/packs.js';
import { withFiles } from './new-trees.js';
import { hashOf } from './objects.js';
import { PackReader } from './pack-reader.js';
import { pktLines } from './pkt-lines.js';

const MIB = 1024 ** 2;
const folder = mkdtempSync(join(tmpdir(), 'hostile-packs-'));
afterAll(() => rmSync(folder, { recursive: true }));

function opened(...entries: Buffer[]): Promise<PackReader> {
  const path = join(folder, 'one.pack');
  writeFileSync(path, packWith(entries));
  return PackReader.open(path);
}
const size = (bytes: number): number[] =>
  bytes < 128 ? [bytes] : [(bytes % 128) | 128, ...size(Math.floor(bytes / 128))];
const BLOB = 3;
const TREE = 2;
const COMMIT = 1;

describe('A hostile pack is refused', () => {
  it.each([
    ['tree', TREE, 4 * MIB],
    ['commit', COMMIT, MIB],
    ['file', BLOB, 64 * MIB],
  ])('before it decompresses a %s that is too large', async (title, kind, max) => {
    // The content is empty, so a reader that decompressed it first would call it damaged.
    const work = opened(packedEntry(kind, Buffer.alloc(0), max + 1));
    await expect(work).rejects.toThrow(`leads to a repository with a ${title} of more than ${max} bytes`);
  });

  it('if it is small and contains a tree of 63 MiB', async () => {
    const tree = Buffer.alloc(63 * MIB, `100644 a\0${'x'.repeat(20)}`);
    const entry = packedEntry(TREE, tree);
    expect(entry.length).toBeLessThan(300_000);
    await expect(opened(entry)).rejects.toThrow('with a tree of more than');
  });

  it('before it builds a tree that is too large from a delta', async () => {
    const base = Buffer.alloc(MIB);
    const delta = Buffer.from([...size(base.length), ...size(5 * MIB), 0x80]);
    await expect(opened(packedEntry(TREE, base), deltaEntry(hashed('tree', base), delta))).rejects.toThrow(
      'with a tree of more than',
    );
  });

  it('before it applies more instructions of deltas than an import may take', async () => {
    const base = Buffer.alloc(16);
    const id = hashed('blob', base);
    // Each byte of the result has its own instruction of two bytes.
    const delta = Buffer.concat([
      Buffer.from([...size(base.length), ...size(30 * MIB)]),
      Buffer.alloc(60 * MIB, Buffer.from([1, 65])),
    ]);
    const entry = deltaEntry(id, delta);
    await expect(opened(packedEntry(BLOB, base), ...Array<Buffer>(9).fill(entry))).rejects.toThrow(
      'bytes unpacked',
    );
  });

  it('if a chain of deltas is longer than Git makes it', async () => {
    const entries = [packedEntry(BLOB, Buffer.from('a'))];
    let last = Buffer.from('a');
    for (let n = 0; n < 300; n++) {
      const next = Buffer.from(String(n));
      const delta = Buffer.from([...size(last.length), ...size(next.length), next.length, ...next]);
      entries.push(deltaEntry(hashed('blob', last), delta));
      last = next;
    }
    await expect(opened(...entries)).rejects.toThrow('more than 250 deltas in a row');
  });
});

describe('A hostile server is refused', () => {
  const counted = async (content: Buffer, max?: number): Promise<number> => {
    let lines = 0;
    for await (const _ of pktLines(chunksOf(content), max)) lines += 1;
    return lines;
  };

  it.each(['0004', '0000', '0005a'])('after a bounded number of lines of %s', async (line) => {
    expect(await counted(Buffer.from(line.repeat(100)), 100)).toBe(100);
    await expect(counted(Buffer.from(line.repeat(101)), 100)).rejects.toThrow('more than 100 lines');
  });
});

it('A directory with too many entries is refused before all of them are in memory', async () => {
  const trees = Array.from({ length: 6 }, (_, n) => treeWith(100_000, n));
  const root = Buffer.concat(
    trees.map((tree, n) => Buffer.concat([Buffer.from(`40000 ${n}\0`), hashed('tree', tree)])),
  );
  const pack = await opened(...[...trees, root].map((tree) => packedEntry(TREE, tree)));
  const change = withFiles(pack, hashed('tree', root).toString('hex'), [], []);
  await expect(change).rejects.toMatchObject({ place: 'directory', message: 'has more than 500000 files' });
  await pack.close();
});

/** Builds a tree of files, each with its own content. */
const treeWith = (entries: number, seed: number): Buffer =>
  Buffer.concat(
    Array.from({ length: entries }, (_, n) => {
      const oid = Buffer.alloc(20, seed);
      oid.writeUInt32BE(n);
      return Buffer.concat([Buffer.from(`100644 ${n.toString(36)}\0`), oid]);
    }),
  );
const hashed = (type: 'blob' | 'tree', content: Buffer): Buffer =>
  hashOf(type, content.length).update(content).digest();
const deltaEntry = (base: Buffer, delta: Buffer): Buffer =>
  Buffer.concat([
    packedEntry(7, Buffer.alloc(0), delta.length).subarray(0, -EMPTY),
    base,
    deflateSync(delta),
  ]);
const EMPTY = deflateSync(Buffer.alloc(0)).length;
async function* chunksOf(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536);
}
