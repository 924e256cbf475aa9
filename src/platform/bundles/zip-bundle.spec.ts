import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { LISTED_AT, listedAs, zipOf, type ZippedContents } from '../../../test/make/zip-files.js';
import { BUNDLE_BOUNDS, openZip, type ZipBounds } from './zip-bundle.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldwright-zip-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function opened(zip: Buffer, bounds?: ZipBounds) {
  const file = join(folder, randomBytes(8).toString('hex'));
  await writeFile(file, zip);
  return openZip(file, bounds);
}
const named = async (name: string) =>
  listedAs(await zipOf({ xxxx: 'a' }), 'xxxx', (entry) => void entry.write(name, LISTED_AT.name));

describe('A bundle', () => {
  it('contains its complete files', async () => {
    const large = randomBytes(300_000);
    const files = await opened(await zipOf({ 'application.yaml': 'a', 'files/ü.bin': large, empty: '' }));
    expect(files.paths).toEqual(['application.yaml', 'files/ü.bin', 'empty']);
    expect(await buffer(await files.read('files/ü.bin'))).toEqual(large);
    expect(await buffer(await files.read('empty'))).toEqual(Buffer.alloc(0));
    expect([files.sizeOf('files/ü.bin'), files.has('none'), files.sizeOf('none')]).toEqual([
      300_000,
      false,
      0,
    ]);
    await expect(files.read('none')).rejects.toMatchObject({ status: 400 });
    await files.close();
  });

  it('may have all of its files in one folder', async () => {
    const contents = {
      'pump-main/application.yaml': 'a',
      'pump-main/devices.yaml': 'b',
      '__MACOSX/._x': '',
      '.DS_Store': '',
    };
    const files = await opened(await zipOf(contents));
    expect(files.paths).toEqual(['application.yaml', 'devices.yaml']);
    expect((await buffer(await files.read('devices.yaml'))).toString()).toBe('b');
    await files.close();
  });

  it('may have paths that start with the current folder', async () => {
    const zip = await zipOf({ 'xxapplication.yaml': 'a', xxxx: 'b' });
    const begin = (entry: Buffer) => void entry.write('./', LISTED_AT.name);
    const files = await opened(listedAs(listedAs(zip, 'xxapplication.yaml', begin), 'xxxx', begin));
    expect(files.paths).toEqual(['application.yaml', 'xx']);
    await files.close();
    await expect(opened(await named('./..'))).rejects.toMatchObject({ status: 400 });
  });

  it('has at most as many folders as files', async () => {
    const zip = await zipOf({ 'a/b/c': '', 'a/b/d': '', 'a/e/f': '' });
    await (await opened(zip, { ...BUNDLE_BOUNDS, files: 3 })).close();
    await expect(
      opened(await zipOf({ 'a/b/c/d/e': '' }), { ...BUNDLE_BOUNDS, files: 3 }),
    ).rejects.toMatchObject({
      status: 400,
      message: 'importBundle has more than 3 folders',
    });
  });

  it.each<[string, (zip: Buffer) => Buffer]>([
    ['is none', () => Buffer.from('no zip file at all, but text')],
    ['is empty', () => Buffer.alloc(0)],
    ['breaks off', (zip) => zip.subarray(0, zip.length - 30)],
    ['begins late', (zip) => zip.subarray(40)],
  ])('is rejected if it %s', async (_, change) => {
    await expect(opened(change(await zipOf({ a: 'x'.repeat(200) })))).rejects.toMatchObject({
      status: 400,
      message: 'importBundle is not a valid zip file',
    });
  });

  it.each(
    ['../a', '/abs', 'a/..', 'a/./', 'a//b', 'a\\bc', 'C:aa', 'a\0bc'].map((name) => [
      name.padEnd(4, 'x').slice(0, 4),
    ]),
  )('is rejected if it contains a file at %j', async (name) => {
    await expect(opened(await named(name))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('has a file with an invalid path'),
    });
  });

  it.each<[string, (entry: Buffer) => void, string]>([
    ['encrypted', (entry) => entry.writeUInt16LE(0x801, LISTED_AT.flags), 'is encrypted'],
    [
      'packed in another way',
      (entry) => entry.writeUInt16LE(14, LISTED_AT.method),
      'compressed with an unsupported method',
    ],
    [
      'a link',
      (entry) => {
        entry.writeUInt16LE(0x314, LISTED_AT.madeBy);
        entry.writeUInt16LE(0o120777, LISTED_AT.mode);
      },
      'is a link',
    ],
    [
      'a device',
      (entry) => {
        entry.writeUInt16LE(0x314, LISTED_AT.madeBy);
        entry.writeUInt16LE(0o020666, LISTED_AT.mode);
      },
      'is not a regular file',
    ],
    ['of another encoding', (entry) => entry.writeUInt8(0xff, LISTED_AT.name), 'is not'],
    ['longer than anything', (entry) => entry.writeUInt32LE(0xfffffff0, LISTED_AT.size), 'when unpacked'],
  ])('is rejected if it contains a file that is %s', async (_, change, message) => {
    const zip = listedAs(await zipOf({ first: 'a', mine: 'x'.repeat(500) }), 'mine', change);
    await expect(opened(zip)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
  });

  it.each<[string, ZippedContents, (zip: Buffer) => Buffer]>([
    [
      'one name',
      { aaa: '1', bbb: '2' },
      (zip) => listedAs(zip, 'bbb', (entry) => void entry.write('aaa', LISTED_AT.name)),
    ],
    [
      'the name of a folder',
      { 'a/b': '1', aaa: '2' },
      (zip) =>
        listedAs(zip, 'aaa', (entry) => {
          entry.writeUInt16LE(1, 28);
          entry.copyWithin(LISTED_AT.name + 1, LISTED_AT.name + 3);
        }),
    ],
  ])('is rejected if several of its files have %s', async (_, contents, change) => {
    const zip = change(await zipOf(contents));
    await expect(opened(zip)).rejects.toMatchObject({ status: 400 });
  });

  it('is rejected if several of its files share the same content', async () => {
    const zip = await zipOf({ aaa: 'x'.repeat(10_000), bbb: 'y'.repeat(10_000) });
    let offset = 0;
    listedAs(zip, 'aaa', (entry) => void (offset = entry.readUInt32LE(LISTED_AT.offset)));
    const overlapping = listedAs(zip, 'bbb', (entry) => void entry.writeUInt32LE(offset, LISTED_AT.offset));
    await expect(opened(overlapping)).rejects.toMatchObject({
      message: expect.stringContaining('has overlapping files'),
    });
  });

  it('is rejected if it has too many files, or unpacks to too much data', async () => {
    const zip = await zipOf({ a: 'x'.repeat(2_000), b: '1', c: '2' });
    await expect(opened(zip, { ...BUNDLE_BOUNDS, files: 2 })).rejects.toMatchObject({ status: 400 });
    await expect(opened(zip, { ...BUNDLE_BOUNDS, bytes: 1_000 })).rejects.toMatchObject({ status: 400 });
    const bomb = await zipOf({ a: Buffer.alloc(20 * 1024 * 1024) });
    await expect(opened(bomb)).rejects.toMatchObject({
      message: expect.stringContaining('when unpacked'),
    });
  });

  it.each<[string, (entry: Buffer) => void]>([
    ['longer', (entry) => entry.writeUInt32LE(400, LISTED_AT.size)],
    ['shorter', (entry) => entry.writeUInt32LE(600, LISTED_AT.size)],
    ['another', (entry) => entry.writeUInt32LE(1, LISTED_AT.crc)],
  ])('fails if the content does not match its directory entry: %s', async (_, change) => {
    const files = await opened(listedAs(await zipOf({ mine: 'x'.repeat(500), other: 'y' }), 'mine', change));
    await expect(files.read('mine').then(buffer)).rejects.toMatchObject({
      status: 400,
      message: 'importBundle is damaged at "mine"',
    });
    await files.close();
  });

  it('reports damage to a reader that only starts after it was detected', async () => {
    const change = (entry: Buffer): void => void entry.writeUInt32LE(1, LISTED_AT.crc);
    const files = await opened(listedAs(await zipOf({ mine: 'x' }), 'mine', change));
    const content = await files.read('mine');
    await new Promise((resolve) => content.on('close', resolve));
    await expect(buffer(content)).rejects.toThrow('importBundle is damaged at "mine"');
    await files.close();
  });
});
