import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { withClock } from '../../../test/doubles/clock.js';
import { S3_ENVIRONMENT, startS3Server } from '../../../test/doubles/s3-server.js';
import { waitUntil } from '../../../test/setup/until.js';
import { BlobMissing, dispositionHeader, type Blobs } from './blobs.js';
import { createBlobs } from './create-blobs.js';
import { DiskBlobs } from './disk-blobs.js';

interface Store {
  blobs: Blobs;
  /** Returns the paths of all files in the store. */
  files(): Promise<string[]>;
  close(): Promise<void>;
}

const TEXT = { contentType: 'text/plain' };
const MEGABYTE = 1024 * 1024;

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Creates a disk store whose links are served as by the platform. */
async function diskStore(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'blobs-'));
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://platform');
    const key = decodeURIComponent(pathname.slice('/blobs/'.length));
    const respond = async () => {
      const { fileName } = blobs.verifyDownload(key, Object.fromEntries(searchParams), new Date());
      const content = await blobs.read(key);
      content.pipe(
        response.writeHead(200, { 'content-disposition': dispositionHeader('attachment', fileName) }),
      );
    };
    respond().catch((error: { status?: number }) => response.writeHead(error.status ?? 404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const blobs = (await createBlobs({
    blobUrl: pathToFileURL(folder).href,
    publicUrl,
    filesUrl: publicUrl,
    signingKey: randomBytes(32),
  })) as DiskBlobs;
  return {
    blobs,
    files: () => filesUnder(folder),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

async function s3Store(): Promise<Store> {
  const server = await startS3Server('fieldwright');
  const before = { ...process.env };
  Object.assign(process.env, S3_ENVIRONMENT);
  const links = { publicUrl: 'http://unused', filesUrl: 'http://unused', signingKey: randomBytes(32) };
  return {
    blobs: await createBlobs({
      blobUrl: 's3://fieldwright/some/prefix',
      s3Endpoint: server.endpoint,
      ...links,
    }),
    files: async () =>
      (await filesUnder(server.directory)).filter(
        (file) => !file.includes('_uploads/') || /\/\d+$/.test(file),
      ),
    async close() {
      for (const name of Object.keys(S3_ENVIRONMENT)) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
      await server.close();
    },
  };
}

describe.each([
  ['on disk', diskStore],
  ['on S3', s3Store],
])('Blobs %s', (_where, open) => {
  let store: Store;
  let blobs: Blobs;

  beforeAll(async () => {
    store = await open();
    ({ blobs } = store);
  });
  afterAll(() => store.close());

  it.each([
    ['buffer', Buffer.from('content – 内容')],
    ['empty buffer', Buffer.alloc(0)],
  ])('stores a %s', async (_kind, content) => {
    expect(await blobs.put('a/b/buffer.txt', content, TEXT)).toEqual({ size: content.length });
    expect(await buffer(await blobs.read('a/b/buffer.txt'))).toEqual(content);
  });

  it('stores a stream', async () => {
    const chunks = ['one ', 'two ', 'three'].map((text) => Buffer.from(text));
    expect(await blobs.put('stream', Readable.from(chunks), TEXT)).toEqual({ size: 13 });
    expect(await buffer(await blobs.read('stream'))).toEqual(Buffer.concat(chunks));
  });

  it('stores an empty stream', async () => {
    expect(await blobs.put('empty', Readable.from([]), TEXT)).toEqual({ size: 0 });
    expect(await buffer(await blobs.read('empty'))).toHaveLength(0);
  });

  it('returns the facts of a blob, and undefined if it does not exist', async () => {
    await blobs.put('known', Buffer.from('content'), TEXT);
    const first = await blobs.find('known');
    expect(first).toEqual({ bytes: 7, etag: expect.stringMatching(/^"[\w-]+"$/) });
    await blobs.put('known', Buffer.from('another content'), TEXT);
    expect((await blobs.find('known'))?.etag).not.toBe(first?.etag);
    expect(await blobs.find('unknown')).toBeUndefined();
  });

  it('streams 20 MB in and out', async () => {
    const sent = createHash('sha256');
    function* chunks() {
      for (let count = 0; count < 320; count++) {
        const chunk = randomBytes(MEGABYTE / 16);
        sent.update(chunk);
        yield chunk;
      }
    }
    expect(await blobs.put('large', Readable.from(chunks()), TEXT)).toEqual({ size: 20 * MEGABYTE });
    const received = createHash('sha256');
    for await (const chunk of await blobs.read('large')) {
      expect(chunk.length).toBeLessThanOrEqual(MEGABYTE);
      received.update(chunk);
    }
    expect(received.digest('hex')).toBe(sent.digest('hex'));
  });

  it('replaces a blob', async () => {
    await blobs.put('replaced', Buffer.from('a longer first content'), TEXT);
    await blobs.put('replaced', Buffer.from('second'), TEXT);
    expect((await buffer(await blobs.read('replaced'))).toString()).toBe('second');
  });

  it('deletes a blob, and ignores a blob that does not exist', async () => {
    await blobs.put('folder/deleted', Buffer.from('content'), TEXT);
    await blobs.delete('folder/deleted');
    await expect(blobs.read('folder/deleted')).rejects.toThrow(BlobMissing);
    await blobs.delete('folder/deleted');
  });

  it('rejects with BlobMissing if a blob does not exist', async () => {
    const error = await blobs.read('never/stored').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(BlobMissing);
    expect(error).toMatchObject({ key: 'never/stored' });
  });

  it.each([
    ['that fails at once', 0],
    ['that fails midway', 1],
    ['that fails after several parts', 20],
  ])('stores nothing of a stream %s', async (_when, megabytes) => {
    await blobs.put('aborted', Buffer.from('before'), TEXT);
    const before = await store.files();
    function* chunks() {
      for (let count = 0; count < megabytes; count++) yield Buffer.alloc(MEGABYTE);
      throw new Error('the sender went away');
    }
    await expect(blobs.put('aborted', Readable.from(chunks()), TEXT)).rejects.toThrow('the sender went away');
    expect(await store.files()).toEqual(before);
    expect((await buffer(await blobs.read('aborted'))).toString()).toBe('before');
  });

  it('stores nothing of a stream that is destroyed without an error', async () => {
    const before = await store.files();
    const stream = new Readable({ read() {} });
    stream.push(Buffer.alloc(MEGABYTE));
    const stored = expect(blobs.put('destroyed', stream, TEXT)).rejects.toThrow();
    await waitUntil(async () => stream.readableLength === 0);
    stream.destroy();
    await stored;
    expect(await store.files()).toEqual(before);
  });

  it.each([
    '',
    '/a',
    '.a',
    '../a',
    'a/../b',
    'a/..',
    'a//b',
    'a/./b',
    'a/',
    'a b',
    'a\\b',
    'a\0',
    'ä',
    'a?b',
    'a'.repeat(513),
    'a'.repeat(256),
  ])('rejects the key %j', async (key) => {
    await expect(blobs.put(key, Buffer.from('x'), TEXT)).rejects.toThrow('The blob key is not valid');
    await expect(blobs.read(key)).rejects.toThrow('The blob key is not valid');
    await expect(blobs.delete(key)).rejects.toThrow('The blob key is not valid');
    await expect(blobs.downloadUrl(key, { expiresIn: 60, fileName: 'x' })).rejects.toThrow(
      'The blob key is not valid',
    );
  });

  describe('download links', () => {
    beforeAll(async () => {
      await blobs.put('exports/one.json', Buffer.from('one'), { contentType: 'application/json' });
      await blobs.put('exports/two.json', Buffer.from('two'), { contentType: 'application/json' });
    });

    it.each(['export.json', 'my "export" (é, 日本) 100%; a=b.json'])(
      'download under the name %j',
      async (fileName) => {
        const response = await fetch(
          await blobs.downloadUrl('exports/one.json', { expiresIn: 60, fileName }),
        );
        expect(response.status).toBe(200);
        expect(await response.text()).toBe('one');
        expect(response.headers.get('content-disposition')).toBe(dispositionHeader('attachment', fileName));
      },
    );

    it('are rejected after they have expired', async () => {
      const url = await blobs.downloadUrl('exports/one.json', { expiresIn: 60, fileName: 'export.json' });
      expect((await fetch(url)).status).toBe(200);
      expect((await withClock(61_000, () => fetch(url))).status).toBe(403);
    });

    it('are rejected for another blob', async () => {
      const url = await blobs.downloadUrl('exports/one.json', { expiresIn: 60, fileName: 'export.json' });
      expect((await fetch(url.replace('one.json', 'two.json'))).status).toBe(403);
    });

    it('are rejected if they have been tampered with', async () => {
      const url = new URL(
        await blobs.downloadUrl('exports/one.json', { expiresIn: 60, fileName: 'export.json' }),
      );
      const names = [...url.searchParams.keys()].filter((name) =>
        /expires|signature|fileName|content-disposition/i.test(name),
      );
      expect(names.length).toBeGreaterThanOrEqual(3);
      for (const name of names) {
        const changed = new URL(url);
        const value = changed.searchParams.get(name) ?? '';
        changed.searchParams.set(
          name,
          /^\d+$/.test(value) ? String(Number(value) + 60) : `0${value.slice(1)}x`,
        );
        expect((await fetch(changed)).status).toBe(403);
      }
    });
  });
});

describe('Blobs on S3', () => {
  it('keep their content type', async () => {
    const store = await s3Store();
    await store.blobs.put('a.json', Buffer.from('{}'), { contentType: 'application/json' });
    await store.blobs.put('b.csv', Readable.from([Buffer.alloc(9 * MEGABYTE)]), { contentType: 'text/csv' });
    const typeOf = async (key: string) =>
      (await fetch(await store.blobs.downloadUrl(key, { expiresIn: 60, fileName: key }))).headers.get(
        'content-type',
      );
    expect(await typeOf('a.json')).toBe('application/json');
    expect(await typeOf('b.csv')).toBe('text/csv');
    await store.close();
  });
});

describe('Blobs on disk', () => {
  const links = {
    publicUrl: 'https://platform.example',
    filesUrl: 'https://files.example',
    signingKey: randomBytes(32),
  };
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'blobs-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('are files that only their owner can access', async () => {
    await new DiskBlobs(folder, links).put('a/b', Buffer.from('x'));
    if (process.platform !== 'win32') expect((await stat(join(folder, 'a/b'))).mode & 0o777).toBe(0o600);
  });

  it('do not include the folders that contain them', async () => {
    const blobs = new DiskBlobs(folder, links);
    await blobs.put('a/b', Buffer.from('x'));
    await expect(blobs.read('a')).rejects.toThrow(BlobMissing);
    await expect(blobs.read('a/b/c')).rejects.toThrow(BlobMissing);
  });

  it('leave no empty folders behind, while folders in use are kept', async () => {
    const blobs = new DiskBlobs(folder, links);
    for (const key of ['a/b/c', 'a/b/d', 'a/e']) await blobs.put(key, Buffer.from('x'));
    await blobs.delete('a/b/c');
    expect(await readdir(join(folder, 'a/b'))).toEqual(['d']);
    await blobs.delete('a/b/d');
    expect(await readdir(join(folder, 'a'))).toEqual(['e']);
    await blobs.delete('a/e');
    expect(await readdir(folder)).toEqual(['~partial']);
    await blobs.delete('a/e');
  });

  it('are kept while others are removed from their folder', async () => {
    const blobs = new DiskBlobs(folder, links);
    const turns = Array.from({ length: 50 }, (_, turn) => `a/b/${turn}`);
    await Promise.all(
      turns.map(async (key) => {
        await blobs.put(key, Buffer.from('x'));
        await blobs.delete(key);
      }),
    );
    expect(await readdir(folder)).toEqual(['~partial']);
  });

  it('are stored relative to the working directory if the setting is a relative folder', async () => {
    const blobs = await createBlobs({ blobUrl: `file:${relative(process.cwd(), folder)}`, ...links });
    await blobs.put('a', Buffer.from('x'), TEXT);
    expect(await filesUnder(folder)).toEqual(['a']);
  });

  it('have links that expire on time and are only valid in one installation', async () => {
    const blobs = new DiskBlobs(folder, links);
    const url = new URL(await blobs.downloadUrl('a/b.json', { expiresIn: 60, fileName: 'b.json' }));
    expect(url.origin + url.pathname).toBe('https://files.example/blobs/a/b.json');
    const query = Object.fromEntries(url.searchParams);
    const end = Number(query.expires) * 1000;
    expect(blobs.verifyDownload('a/b.json', query, new Date(end - 1))).toEqual({ fileName: 'b.json' });
    expect(() => blobs.verifyDownload('a/b.json', query, new Date(end))).toThrow('has expired');

    const other = new DiskBlobs(folder, { ...links, signingKey: randomBytes(32) });
    expect(() => other.verifyDownload('a/b.json', query, new Date(end - 1))).toThrow('has expired');
  });

  it.each([
    {},
    { expires: '9999999999', fileName: 'b.json' },
    { expires: ['1', '2'], fileName: {}, signature: ['x'] },
  ])('reject a download with the query %j', (query) => {
    expect(() => new DiskBlobs(folder, links).verifyDownload('a', query, new Date())).toThrow(
      'The download link is not valid',
    );
  });
});
