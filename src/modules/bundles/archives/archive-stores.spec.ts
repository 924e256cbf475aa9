import { generateKeyPairSync } from 'node:crypto';
import {
  listen,
  startAzureArchive,
  startGcsArchive,
  startS3Archive,
  type ArchiveServer,
  type Kind,
} from '../../../../test/doubles/archive-stores.js';
import { Config } from '../../../config/config.js';
import { ArchiveRejected, PART_BYTES, type ArchivePlace } from './archive-store.js';
import { ArchiveStores } from './archive-stores.js';

const STARTS = { s3: startS3Archive, gcs: startGcsArchive, azure: startAzureArchive } as const;
const KINDS = ['s3', 'gcs', 'azure'] as const;
const servers = {} as Record<Kind, ArchiveServer>;
let stores: ArchiveStores;

beforeAll(async () => {
  await Promise.all(KINDS.map(async (kind) => (servers[kind] = await STARTS[kind]())));
  stores = new ArchiveStores(
    Config.from({
      ARCHIVE_S3_ENDPOINT: servers.s3.endpoint,
      ARCHIVE_GCS_ENDPOINT: servers.gcs.endpoint,
      ARCHIVE_AZURE_ENDPOINT: `${servers.azure.endpoint}/`,
    }),
  );
});
afterAll(() => Promise.all(KINDS.map((kind) => servers[kind].close())));

const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** Credentials that the stores do not know. */
const STRANGERS: Readonly<Record<Kind, Partial<ArchivePlace>>> = {
  s3: { accessKeyId: 'NOBODY' },
  gcs: { privateKey: otherKey.export({ type: 'pkcs8', format: 'pem' }).toString() },
  azure: { accountKey: Buffer.from('another-key').toString('base64') },
};

async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}
const put = async (place: ArchivePlace, key: string, ...texts: string[]) =>
  (await stores.open(place)).put(key, chunks(...texts));

describe.each(KINDS)('ArchiveStore for %s', (kind) => {
  it('stores an object under its key and replaces it on a second write', async () => {
    const { place, objects } = servers[kind];
    const key = `north field/a+b&c=d/ünï (1)'s/2026-09-30.csv`;
    await put(place, key, 'first');
    await put(place, key, 'sec', 'ond');
    await put(place, 'empty.csv');
    expect(await objects()).toMatchObject({ [key]: 'second', 'empty.csv': '' });
  });

  it('uploads content longer than a part in several parts', async () => {
    const { place, objects } = servers[kind];
    // One and a half parts, and exactly two parts.
    const half = 'a'.repeat(PART_BYTES / 2);
    const [long, whole] = [
      [half, half, `${half.slice(0, -1)}z`],
      [half, half, half, half],
    ];
    await put(place, 'long.csv', ...long);
    await put(place, 'whole.csv', ...whole);
    const found = await objects();
    // Compared as a boolean, so that a failure does not print megabytes of diff.
    expect(found['long.csv'] === long.join('')).toBe(true);
    expect(found['whole.csv'] === whole.join('')).toBe(true);
  });

  it('reports which setting is at fault', async () => {
    const { place } = servers[kind];
    const refusals = [
      { ...place, bucket: 'none-is-called-so' },
      { ...place, ...STRANGERS[kind] } as ArchivePlace,
    ].map((wrong) => put(wrong, 'a.csv', 'a').catch((error: unknown) => error));
    const [bucket, access] = await Promise.all(refusals);
    expect(bucket).toBeInstanceOf(ArchiveRejected);
    expect(bucket).toMatchObject({ fault: 'bucket' });
    expect(access).toBeInstanceOf(ArchiveRejected);
    expect(access).toMatchObject({ fault: 'access' });
  });

  it('keeps one complete object when two are written concurrently', async () => {
    const { place, objects } = servers[kind];
    const store = await stores.open(place);
    const texts = ['a', 'b'].map((letter) => letter.repeat(PART_BYTES * 1.5));
    /** Yields one and a half parts, writing another object with the same key in between. */
    async function* slow(): AsyncGenerator<Buffer> {
      yield Buffer.from(texts[0]!.slice(0, PART_BYTES + 1));
      await store.put('both.csv', chunks(texts[1]!));
      yield Buffer.from(texts[0]!.slice(PART_BYTES + 1));
    }
    // A store may abort the first upload; the platform would then retry it.
    await store.put('both.csv', slow()).catch(() => undefined);
    expect(texts.includes((await objects())['both.csv']!)).toBe(true);
  });

  it('stores nothing when the content breaks off', async () => {
    const { place, objects } = servers[kind];
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(PART_BYTES + 1);
      throw new Error('The database is gone');
    }
    const store = await stores.open(place);
    await expect(store.put('broken.csv', broken())).rejects.toThrow('The database is gone');
    expect(Object.keys(await objects())).not.toContain('broken.csv');
  });
});

describe('A store with unexpected responses', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

  type Answer = (status: number, body?: string, headers?: object) => void;

  /** Writes an object to a store whose responses come from `handle`, which receives the number of each request. */
  async function putAt(
    kind: 's3' | 'gcs',
    text: string,
    handle: (answer: Answer, n: number, origin: string) => void,
  ): Promise<void> {
    let n = 0;
    const { endpoint, close } = await listen((_, response) => {
      const answer: Answer = (status, body = '', headers = {}) =>
        status === 0 ? response.destroy() : response.writeHead(status, { ...headers }).end(body);
      handle(answer, ++n, endpoint);
    });
    closing.push(close);
    const config = Config.from({ [`ARCHIVE_${kind.toUpperCase()}_ENDPOINT`]: endpoint });
    const store = await new ArchiveStores(config).open(servers[kind].place);
    await store.put('a.csv', chunks(text));
  }
  const errorOf = (code: string) => `<Error><Code>${code}</Code><Message>No.</Message></Error>`;

  it('is retried after it closes a connection', async () => {
    let requests = 0;
    await putAt('s3', 'a', (answer, n) => answer((requests = n) === 1 ? 0 : 200, '', { etag: '"e"' }));
    expect(requests).toBe(2);
  });

  it('can report a wrong region with an error code', async () => {
    const put = putAt('s3', 'a', (answer) => answer(400, errorOf('AuthorizationHeaderMalformed')));
    await expect(put).rejects.toMatchObject({ fault: 'region' });
  });

  it('can abort an upload, which is not a fault in the settings', async () => {
    const long = 'a'.repeat(PART_BYTES + 1);
    const begun = '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>';
    const s3 = putAt('s3', long, (answer, n) =>
      n === 1 ? answer(200, begun) : answer(404, errorOf('NoSuchUpload')),
    );
    await expect(s3).rejects.toMatchObject({ name: 'NoSuchUpload' });
    const gcs = putAt('gcs', long, (answer, n, origin) => {
      if (n === 1) answer(200, JSON.stringify({ access_token: 'a' }));
      else if (n === 2) answer(200, '', { location: `${origin}/upload` });
      else answer(404);
    });
    await expect(gcs).rejects.toThrow('The store has aborted the upload');
  });
});
