import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { STORES, suiteOn } from '../../../test/doubles/blob-stores.js';
import { uniqueName } from '../../../test/make/make.js';
import { waitUntil } from '../../../test/setup/until.js';
import { filled, post, reachable, slowly, upload } from '../../../test/make/upload-forms.js';
import { BLOBS, type Blobs, type UploadForm, type UploadConstraints } from '../../lib/blobs/blobs.js';
import { DiskBlobs } from '../../lib/blobs/disk-blobs.js';
import { Uploads } from './uploads.js';

const MEGABYTE = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

describe.each(STORES)('An upload to %s', (store) => {
  const { test } = suiteOn(store);
  let blobs: Blobs;
  let key: string;
  beforeAll(() => {
    blobs = test.app.get<Blobs>(BLOBS);
  });
  beforeEach(() => {
    key = `files/${uniqueName()}/content`;
  });

  const formFor = async (
    bytes: UploadConstraints['bytes'] | number,
    terms: Partial<UploadConstraints> = {},
  ) =>
    reachable(
      await blobs.uploadForm(key, {
        contentType: 'text/plain',
        bytes: typeof bytes === 'number' ? { least: bytes, most: bytes } : bytes,
        expiresIn: 60,
        ...terms,
      }),
      test,
    );
  const kept = async () => (await buffer(await blobs.read(key))).toString();
  const changed = ({ url, fields }: UploadForm, changes: Record<string, string>): UploadForm => ({
    url,
    fields: { ...fields, ...changes },
  });

  it('is stored under its key', async () => {
    const answer = await upload(await formFor(7), 'content');
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(await kept()).toBe('content');
    expect(await blobs.find(key)).toMatchObject({ bytes: 7 });
    expect(answer.etag).toBe('"9a0364b9e99bb480dd25e1f0284c8555"');
  });

  it('has the fields of an S3 form', async () => {
    const { fields } = await formFor(1);
    expect(
      Object.keys(fields)
        .map((name) => name.toLowerCase())
        .sort(),
    ).toEqual([
      'bucket',
      'content-type',
      'key',
      'policy',
      'x-amz-algorithm',
      'x-amz-credential',
      'x-amz-date',
      'x-amz-signature',
    ]);
  });

  it.each([0, 1, 65_536, 3 * MEGABYTE])('may have a size of %d bytes', async (bytes) => {
    const content = Buffer.alloc(bytes, 'x');
    expect(await upload(await formFor({ least: 0, most: bytes }), content)).toMatchObject({ status: 204 });
    expect((await buffer(await blobs.read(key))).equals(content)).toBe(true);
  });

  it.each([
    ['fewer bytes than it must', { least: 8, most: 9 }, [400]],
    ['more bytes than it may', { least: 0, most: 6 }, [400, 413]],
    ['bytes where it must have none', { least: 0, most: 0 }, [400, 413]],
  ])('is rejected with %s', async (_what, bytes, statuses) => {
    expect(statuses).toContain((await upload(await formFor(bytes), 'content')).status);
    expect(await blobs.find(key)).toBeUndefined();
  });

  it.each([
    'key',
    'Content-Type',
    'Policy',
    'X-Amz-Algorithm',
    'X-Amz-Credential',
    'X-Amz-Date',
    'X-Amz-Signature',
  ])('is rejected if %s was changed or is missing', async (name) => {
    const form = await formFor(7);
    const value = form.fields[name]!;
    const others = [`${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`, `${value}0`, ''];
    for (const other of others) {
      const { status } = await upload(changed(form, { [name]: other }), 'content');
      expect({ name, other, status }).toEqual({ name, other, status: 403 });
    }
    const { [name]: _, ...rest } = form.fields;
    expect(await upload({ ...form, fields: rest }, 'content')).toMatchObject({ status: 403 });
    expect(await blobs.find(key)).toBeUndefined();
  });

  it('is rejected with the fields of one form and the policy of another', async () => {
    const other = await formFor(7);
    key = `files/${uniqueName()}/other`;
    const { Policy, 'X-Amz-Signature': signature } = (await formFor(7)).fields;
    const mixed = changed(other, { Policy: Policy!, 'X-Amz-Signature': signature! });
    expect(await upload(mixed, 'content')).toMatchObject({ status: 403 });
    expect(await blobs.find(key)).toBeUndefined();
  });

  it('is rejected if its form has expired', async () => {
    const form = await formFor(7, { expiresIn: -1 });
    expect(await upload(form, 'content')).toMatchObject({ status: 403 });
  });

  it('is rejected with an unknown field', async () => {
    const form = changed(await formFor(7), { acl: 'public-read' });
    expect(await upload(form, 'content')).toMatchObject({ status: 403 });
    expect(await blobs.find(key)).toBeUndefined();
  });

  it('is rejected if the file comes first, before the fields that describe it', async () => {
    const { url, fields } = await formFor(7);
    const form = filled({}, 'content');
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    expect(await post(url, form)).toMatchObject({ status: 403 });
    expect(await blobs.find(key)).toBeUndefined();
  });

  it('is rejected with two files, neither of which is stored', async () => {
    const { url, fields } = await formFor(7);
    const form = filled(fields, 'content');
    form.append('file', new Blob(['another']), 'another.txt');
    expect(await post(url, form)).toMatchObject({ status: 400 });
    expect(await blobs.find(key)).toBeUndefined();
  });

  it('may have fields after its file, which are ignored', async () => {
    const { url, fields } = await formFor(7);
    const form = filled(fields, 'content');
    form.append('key', 'files/another');
    expect(await post(url, form)).toMatchObject({ status: 204 });
    expect(await kept()).toBe('content');
  });

  it('stores nothing if the client disconnects', async () => {
    const sender = slowly(await formFor(2 * MEGABYTE), 2 * MEGABYTE);
    sender.write(Buffer.alloc(MEGABYTE));
    sender.leave();
    await expect(sender.answer).rejects.toThrow();
    expect(await blobs.find(key)).toBeUndefined();
  });
});

describe('An upload to the platform', () => {
  const { test } = suiteOn('a folder', { CORS_ORIGINS: 'https://app.example.com' });
  let blobs: DiskBlobs;
  let uploads: Uploads;
  let key: string;
  beforeAll(() => {
    blobs = test.app.get<DiskBlobs>(BLOBS);
    uploads = test.app.get(Uploads);
  });
  beforeEach(() => {
    key = `files/${uniqueName()}/content`;
  });

  const formOf = async (bytes: number) =>
    reachable(
      await blobs.uploadForm(key, {
        contentType: 'text/plain',
        bytes: { least: bytes, most: bytes },
        expiresIn: 60,
      }),
      test,
    );
  const folder = () => fileURLToPath(test.config.blobUrl);
  const partials = () => (existsSync(join(folder(), '~partial')) ? readdir(join(folder(), '~partial')) : []);

  it('is reported to the listeners', async () => {
    const told: unknown[] = [];
    uploads.onStored(async (...facts) => void told.push(facts));
    const { etag } = await upload(await formOf(7), 'content');
    expect(told).toEqual([[key, { bytes: 7, etag }]]);
  });

  it('is stored even if a listener fails', async () => {
    uploads.onStored(async () => Promise.reject(new Error('the database is gone')));
    expect(await upload(await formOf(7), 'content')).toMatchObject({ status: 204 });
    expect(await blobs.find(key)).toMatchObject({ bytes: 7 });
  });

  it('is stored once per form: an existing blob is not replaced', async () => {
    const form = await formOf(7);
    await upload(form, 'content');
    const again = await upload(form, 'another');
    expect(again).toMatchObject({
      status: 409,
      text: expect.stringContaining('This form has already been used'),
    });
    expect((await buffer(await blobs.read(key))).toString()).toBe('content');
  });

  it('is accepted once at a time per form, so that one form cannot fill the disk', async () => {
    const form = await formOf(2 * MEGABYTE);
    const sender = slowly(form, 2 * MEGABYTE);
    sender.write(Buffer.alloc(MEGABYTE));
    await waitUntil(async () => (await partials()).length > 0);
    const second = await upload(form, Buffer.alloc(2 * MEGABYTE));
    expect(second).toMatchObject({ status: 409, text: expect.stringContaining('This form is in use') });
    sender.write(Buffer.alloc(MEGABYTE));
    sender.finish();
    expect(await sender.answer).toBe(204);
  });

  // S3 guarantees this as well, but the store of the tests does not.
  it('is stored unmixed beside another one with the same key', async () => {
    const [first, second] = [await formOf(5), await formOf(6)];
    const answers = await Promise.all([upload(first, 'first'), upload(second, 'second')]);
    expect(answers.map(({ status }) => status)).toContain(204);
    expect(['first', 'second']).toContain((await buffer(await blobs.read(key))).toString());
  });

  it('leaves no partial file if the client disconnects', async () => {
    const sender = slowly(await formOf(2 * MEGABYTE), 2 * MEGABYTE);
    sender.write(Buffer.alloc(MEGABYTE));
    await waitUntil(async () => (await partials()).length > 0);
    sender.leave();
    await waitUntil(async () => (await partials()).length === 0);
    expect(await blobs.find(key)).toBeUndefined();
  });

  it('times out if the client stalls', async () => {
    const { pace } = uploads;
    uploads.pace = { ...pace, windowMs: 100 };
    try {
      const sender = slowly(await formOf(2 * MEGABYTE), 2 * MEGABYTE);
      sender.write(Buffer.alloc(MEGABYTE));
      expect(await sender.answer).toBe(408);
      expect(await partials()).toEqual([]);
    } finally {
      uploads.pace = pace;
    }
  });

  it('is rejected before it arrives if its announced size exceeds the limit', async () => {
    const form = await formOf(7);
    const sender = slowly(form, 20 * MEGABYTE);
    sender.write(Buffer.alloc(1));
    expect(await sender.answer).toBe(413);
    sender.leave();
  });

  it('is rejected if the disk has no room for it', async () => {
    const { text, status } = await upload(await formOf(2 ** 53), 'content');
    expect({ text: JSON.parse(text) as unknown, status }).toEqual({
      text: { type: 'InsufficientStorage', message: 'The server has no space for this file' },
      status: 507,
    });
  });

  it.each([
    ['no form', 'text', 415],
    ['a form without a file', filledWithoutFile(), 400],
  ])('is rejected if it is %s', async (_what, body, status) => {
    const answer = await post(`${test.client.url}/blobs`, body);
    expect(answer.status).toBe(status);
    expect(Object.keys(JSON.parse(answer.text) as object).sort()).toEqual(['message', 'type']);
  });

  it('is rejected if the form is too large apart from the file', async () => {
    const { url, fields } = await formOf(7);
    const long = { ...fields, 'x-amz-meta-long': 'x'.repeat(20_000) };
    expect(await upload({ url, fields: long }, 'content')).toMatchObject({ status: 400 });
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`x-${n}`, 'x']));
    expect(await upload({ url, fields: { ...many, ...fields } }, 'content')).toMatchObject({ status: 400 });
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: Buffer.alloc(2 * MEGABYTE, 'preamble '),
    });
    expect(response.status).toBe(413);
  });

  it('may be sent by a page of any origin', async () => {
    const origin = 'https://elsewhere.example';
    const { url, fields } = await formOf(7);
    const response = await fetch(url, {
      method: 'POST',
      body: filled(fields, 'content'),
      headers: { origin },
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toContain('ETag');
    const api = await fetch(`${test.client.url}/applications`, { headers: { origin } });
    expect(api.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is removed if a killed process left it unfinished, but not while it is in progress', async () => {
    const left = join(folder(), '~partial', '~left');
    const coming = join(folder(), '~partial', '~coming');
    await mkdir(join(folder(), '~partial'), { recursive: true });
    const now = new Date();
    for (const file of [left, coming]) await writeFile(file, 'content');
    await utimes(left, now, new Date(now.getTime() - DAY_MS));
    await blobs.removeAbandoned(now);
    expect([existsSync(left), existsSync(coming)]).toEqual([false, true]);
  });
});

const FULL = join(tmpdir(), 'fieldwright-full-disk');
/** An in-memory disk of 1 MiB, if the system and the permissions of the test process allow one. */
const isMounted =
  process.platform === 'linux' &&
  spawnSync('mkdir', ['-p', FULL]).status === 0 &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', FULL]).status === 0;

(isMounted ? describe : describe.skip)('An upload to a disk that is full before its end', () => {
  const { test } = suiteOn('a folder', { BLOB_URL: `file://${FULL}` });
  afterAll(() => void spawnSync('umount', [FULL]));

  it('is rejected and leaves no files', async () => {
    const blobs = test.app.get<Blobs>(BLOBS);
    const bytes = { least: 0, most: 2 * MEGABYTE };
    const terms = { contentType: 'text/plain', bytes, expiresIn: 60 };
    const form = reachable(await blobs.uploadForm('files/large', terms), test);
    const { status, text } = await upload(form, Buffer.alloc(1.5 * MEGABYTE));
    expect({ status, text: text.includes('InsufficientStorage') }).toEqual({ status: 507, text: true });
    expect(await readdir(join(FULL, '~partial'))).toEqual([]);
    const small = reachable(await blobs.uploadForm('files/small', terms), test);
    expect(await upload(small, 'content')).toMatchObject({ status: 204 });
  });
});

function filledWithoutFile(): FormData {
  const form = new FormData();
  form.append('key', 'files/any');
  return form;
}
