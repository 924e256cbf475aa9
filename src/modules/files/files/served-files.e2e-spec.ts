import { jest } from '@jest/globals';
import { request } from 'node:http';
import { STORES, suiteOn } from '../../../../test/doubles/blob-stores.js';
import { suite } from '../../../../test/setup/suite.js';
import { reachable, upload } from '../../../../test/make/upload-forms.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { TemporaryBlob } from '../../../platform/blobs/temporary-blob.entity.js';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { UploadCompletion } from './upload-completion.js';
import { PendingUploadsRepository } from './pending-uploads.repository.js';
import { FileUpload } from './file-upload.entity.js';

describe.each(STORES)('A file in %s', (store) => {
  const platform = suiteOn(store, { PROCESS_ROLE: 'api' });
  const { test, user, application } = platform;

  type Kind = 'files' | 'privateFiles';
  /** Path of a single file, which differs from the path of the list. */
  const one = (kind: Kind, id: string) =>
    `/applications/${application.id}/${kind === 'files' ? 'file' : 'privateFiles'}/${id}`;
  const get = async (kind: Kind, id: string, query = '') =>
    test.client.get(one(kind, id) + query, { token: user.token });
  const make = async (kind: Kind, body: object) => {
    const answer = await test.client.post(
      `/applications/${application.id}/${kind}`,
      { type: 'file', contentType: 'text/plain', ...body },
      { token: user.token },
    );
    expect(answer.status).toBe(201);
    return answer.body;
  };
  /** Uploads content. If the store sends no notification, reading the file polls the upload. */
  const send = async (kind: Kind, file: any, content: string) => {
    expect(await upload(reachable(file.upload, test), content)).toMatchObject({ status: 204 });
    const { body } = await get(kind, file.id);
    expect(body).toMatchObject({ status: 'completed', fileSize: Buffer.byteLength(content) });
    return body;
  };
  const kept = async (kind: Kind, body: object, content = 'content') =>
    send(kind, await make(kind, body), content);
  const addressOf = ({ url }: { url: string }) => url.replace(test.config.publicUrl, test.client.url);
  const read = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  /** Returns the status of a path, which is sent unchanged instead of normalized by a client. */
  const statusOf = (path: string, headers = {}) =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(test.client.url);
      const sender = request({ hostname, port, path, headers }, (response) =>
        resolve(response.resume().statusCode),
      );
      sender.once('error', reject).end();
    });

  it('can be read at its URL without authentication', async () => {
    const file = await kept('files', { name: 'note.txt', parentDirectory: '/a/b' });
    expect(file.url).toBe(`${test.config.publicUrl}/files/${application.id}/a/b/note.txt`);
    const { status, headers, text } = await read(addressOf(file));
    expect({ status, text }).toEqual({ status: 200, text: 'content' });
    expect(headers.get('content-type')).toBe('text/plain');
    expect(headers.get('content-disposition')).toContain('inline');
  });

  it.each([
    'plain.txt',
    'größe & mehr?.txt',
    '内容 #1.txt',
    'файл+50%.txt',
    'ملف.txt',
    "o'brien (1)*!.txt",
    '🌡️.txt',
    '%2e%2e.txt',
  ])('can be read with the name %s', async (name) => {
    const file = await kept('files', { name, parentDirectory: `/${name}.d` });
    expect(await read(addressOf(file))).toMatchObject({ status: 200, text: 'content' });
    expect(file).toMatchObject({ name, parentDirectory: `/${name}.d/` });
  });

  it('can be read with a name in another Unicode normalization form', async () => {
    await kept('files', { name: 'gro\u0308ße.txt' });
    const address = `${test.client.url}/files/${application.id}/${encodeURIComponent('größe.txt')}`;
    expect(await read(address)).toMatchObject({ status: 200 });
  });

  it('responds to HEAD', async () => {
    const file = await kept('files', { name: 'head.txt' });
    const { status, headers, text } = await read(addressOf(file), { method: 'HEAD' });
    expect({ status, text, length: headers.get('content-length') }).toEqual({
      status: 200,
      text: '',
      length: '7',
    });
    expect(headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expect(headers.get('accept-ranges')).toBe('bytes');
  });

  it('supports ranges and conditional requests', async () => {
    const address = addressOf(await kept('files', { name: 'ranges.txt' }));
    const part = await read(address, { headers: { range: 'bytes=2-4' } });
    expect(part).toMatchObject({ status: 206, text: 'nte' });
    expect(part.headers.get('content-range')).toBe('bytes 2-4/7');
    const etag = part.headers.get('etag')!;
    const { pathname } = new URL(address);
    // S3 evaluates the conditions after the redirect.
    if (store === 'a folder') expect(await statusOf(pathname, { 'if-none-match': etag })).toBe(304);
    expect(await read(address, { headers: { range: 'bytes=70-' } })).toMatchObject({ status: 416 });
  });

  it.each([
    ['a directory', (url: string) => url.replace('/there.txt', '')],
    ['a directory, with a slash', (url: string) => url.replace('there.txt', '')],
    ['a name that is not there', (url: string) => url.replace('there', 'else')],
    ['something below a file', (url: string) => `${url}/more`],
    ['another application', (url: string) => url.replace(/files\/\w{24}/, `files/${'0'.repeat(24)}`)],
    ['a slash within a name', (url: string) => url.replace('dir/there', 'dir%2fthere')],
    ['a NUL character', (url: string) => url.replace('there', 'there%00')],
    ['two slashes', (url: string) => url.replace('dir/', 'dir//')],
    ['very many directories', (url: string) => url.replace('there.txt', 'a/'.repeat(500) + 'there.txt')],
  ])('returns 404 at the address of %s', async (_what, change) => {
    const file = await kept('files', { name: 'there.txt', parentDirectory: '/dir' });
    const { status, text } = await read(change(addressOf(file)));
    expect({ status, body: JSON.parse(text) as unknown }).toEqual({
      status: 404,
      body: { type: 'NotFound', message: 'This file was not found' },
    });
  });

  it.each([
    ['dir/../dir/there.txt', 404],
    ['dir/%2e%2e/dir/there.txt', 404],
    ['dir/./there.txt', 404],
    ['dir/%ff', 400],
  ])('is not found at the unnormalized path %s', async (path, status) => {
    await kept('files', { name: 'there.txt', parentDirectory: '/dir' });
    expect(await statusOf(`/files/${application.id}/${path}`)).toBe(status);
  });

  it('is empty before its content is uploaded, and not found after its deletion', async () => {
    const made = await make('files', { name: 'later.txt' });
    const address = `${test.client.url}/files/${application.id}/later.txt`;
    expect(await read(address)).toMatchObject({ status: 204, text: '' });
    await send('files', made, 'content');
    expect(await read(address)).toMatchObject({ status: 200 });
    await test.client.delete(one('files', made.id), { token: user.token });
    expect(await read(address)).toMatchObject({ status: 404 });
  });

  it('is not found after the deletion of its application', async () => {
    const address = addressOf(await kept('files', { name: 'gone.txt' }));
    await test.client.delete(`/applications/${application.id}`, { token: user.token });
    expect(await read(address)).toMatchObject({ status: 404 });
  });

  it('takes one statement', async () => {
    const { pathname } = new URL(
      addressOf(await kept('files', { name: 'a.txt', parentDirectory: '/a/b/c' })),
    );
    const statements: string[] = [];
    const { Database } = await import('../../../platform/database/database.js');
    const database = test.app.get(Database);
    const spy = jest.spyOn(database, 'rows').mockImplementation(function (this: unknown, statement) {
      statements.push(statement.text);
      return Database.prototype.rows.call(database, statement);
    });
    try {
      await read(test.client.url + pathname, { redirect: 'manual' });
    } finally {
      spy.mockRestore();
    }
    expect(statements).toHaveLength(1);
  });

  it('keeps its content until new content is uploaded; then the old content is deleted', async () => {
    const file = await kept('files', { name: 'replaced.txt' }, 'before');
    const { body: patched } = await test.client.patch(
      one('files', file.id),
      { contentType: 'text/html', fileSize: 5 },
      { token: user.token },
    );
    expect((await read(addressOf(file))).text).toBe('before');
    expect(await upload(reachable(patched.upload, test), 'after')).toMatchObject({ status: 204 });
    await test.dataSource.manager.update(FileUpload, { fileId: file.id }, { lookAt: new Date(0) });
    await test.app.get(UploadCompletion).pollDue(1_000);
    const { headers, text } = await read(addressOf(file));
    expect(text).toBe('after');
    expect(headers.get('content-type')).toBe('text/html');
    expect(headers.get('content-disposition')).toContain('attachment');
    expect((await get('files', file.id)).body).toMatchObject({ contentType: 'text/html', fileSize: 5 });
  });

  it('can only be read with an expiring link if private', async () => {
    const file = await kept('privateFiles', { name: 'secret "1".txt' });
    const linked = await get('privateFiles', file.id);
    expect(await read(addressOf(linked.body))).toMatchObject({ status: 200, text: 'content' });
    expect(await read(`${test.client.url}/files/${application.id}/secret%20%221%22.txt`)).toMatchObject({
      status: 404,
    });
    const { body: short } = await get('privateFiles', file.id, '?urlTTL=1');
    await waitUntil(async () => (await read(addressOf(short))).status === 403);
    expect((await get('privateFiles', file.id, '?urlTTL=0')).body).not.toHaveProperty('url');
    const { body: list } = await test.client.get(`/applications/${application.id}/privateFiles`, {
      token: user.token,
    });
    expect(await read(addressOf(list.items[0]))).toMatchObject({ status: 200, text: 'content' });
  });

  it('is polled at growing intervals', async () => {
    const { id } = await make('files', { name: 'awaited.txt' });
    const { manager } = test.dataSource;
    const upload = () => manager.findOneByOrFail(FileUpload, { fileId: id });
    const looks = test.app.get(UploadCompletion);
    const pause = async () => (await upload()).lookAt.getTime() - Date.now();
    while ((await looks.pollDue(1_000)) > 0);
    const first = await pause();
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(10_000);
    const { endsAt } = await upload();
    await manager.update(
      FileUpload,
      { fileId: id },
      { lookAt: new Date(0), endsAt: new Date(endsAt.getTime() - 3_600_000) },
    );
    await looks.pollDue(1_000);
    expect(await pause()).toBeGreaterThan(20 * 60_000);
  });

  it('is deleted when it never gets content, but kept if it had content before', async () => {
    const never = await make('files', { name: 'never.txt' });
    const file = await kept('privateFiles', { name: 'kept.txt' });
    await test.client.patch(one('privateFiles', file.id), {}, { token: user.token });
    const { manager } = test.dataSource;
    for (const fileId of [never.id, file.id])
      await manager.update(FileUpload, { fileId }, { endsAt: new Date(0) });
    while ((await test.app.get(PendingUploadsRepository).removeExpired(1_000)) > 0);
    expect((await get('files', never.id)).status).toBe(404);
    expect((await get('privateFiles', file.id)).status).toBe(200);
    expect(await manager.countBy(FileUpload, { applicationId: application.id })).toBe(0);
  });

  it('leaves no content when it is deleted', async () => {
    const file = await kept('files', { name: 'deleted.txt' });
    const { manager } = test.dataSource;
    await test.client.delete(one('files', file.id), { token: user.token });
    const [blob] = await manager
      .createQueryBuilder(TemporaryBlob, 'b')
      .where('b.key LIKE :key', { key: `files/${application.id}/${file.id}/%` })
      .getMany();
    expect(blob!.endsAt.getTime()).toBeLessThanOrEqual(Date.now());
    // Many other blobs may have expired before it.
    await manager.update(TemporaryBlob, { key: blob!.key }, { endsAt: new Date(0) });
    await test.app.get(TemporaryBlobs).removeSome();
    expect(await manager.countBy(TemporaryBlob, { key: blob!.key })).toBe(0);
  });
});

describe('An upload form for a directory store', () => {
  const { test, user, application } = suite({ PROCESS_ROLE: 'api' });

  it('leaves no content when used again after the deletion of its file', async () => {
    const { token } = user;
    const path = `/applications/${application.id}`;
    const { body: file } = await test.client.post(`${path}/files`, { name: 'a', type: 'file' }, { token });
    const form = reachable(file.upload, test);
    const { key } = form.fields as { key: string };
    const kept = () => test.app.get<Blobs>(BLOBS).find(key);
    const isRemoved = async () => {
      await test.dataSource.manager.update(TemporaryBlob, { key }, { endsAt: new Date(0) });
      await test.app.get(TemporaryBlobs).removeSome();
      return (await kept()) === undefined;
    };
    await upload(form, 'content');
    expect(await isRemoved()).toBe(false);
    await test.client.delete(`${path}/file/${file.id}`, { token });
    expect(await isRemoved()).toBe(true);
    await upload(form, 'again');
    expect(await kept()).toMatchObject({ bytes: 5 });
    expect(await isRemoved()).toBe(true);
  });

  it('does not let a poll complete an upload in progress through a request', async () => {
    const { token } = user;
    const path = `/applications/${application.id}`;
    const { body: file } = await test.client.post(`${path}/files`, { name: 'c', type: 'file' }, { token });
    const blobs = test.app.get<Blobs>(BLOBS);
    const put = blobs.put.bind(blobs);
    const stored = jest.spyOn(blobs, 'put').mockImplementation(async (...content) => {
      const size = await put(...content);
      const { body } = await test.client.get(`${path}/file/${file.id}`, { token });
      expect(body).toMatchObject({ status: 'pending' });
      return size;
    });
    const form = new FormData();
    form.append('file', new Blob(['content'], { type: 'text/css' }), 'c');
    const sent = await test.client.post(`${path}/file/${file.id}/upload`, form, { token });
    stored.mockRestore();
    expect(sent).toMatchObject({ status: 200, body: { status: 'completed', contentType: 'text/css' } });
  });

  it('is valid if it is among the last hundred of its file', async () => {
    const { token } = user;
    const path = `/applications/${application.id}`;
    const { body: file } = await test.client.post(`${path}/files`, { name: 'b', type: 'file' }, { token });
    const again = async () => (await test.client.patch(`${path}/file/${file.id}`, {}, { token })).body;
    const second = await again();
    for (let n = 2; n < 101; n++) await again();
    const uploads = { fileId: file.id as string };
    expect(await test.dataSource.manager.countBy(FileUpload, uploads)).toBe(100);
    await upload(reachable(file.upload, test), 'too late');
    const get = async () => (await test.client.get(`${path}/file/${file.id}`, { token })).body;
    expect(await get()).toMatchObject({ status: 'pending' });
    await upload(reachable(second.upload, test), 'content');
    expect(await get()).toMatchObject({ status: 'completed', fileSize: 7 });
  });
});

describe('A worker', () => {
  const { test, user, application } = suiteOn('S3');

  it('detects a completed upload to S3', async () => {
    const { body: file } = await test.client.post(
      `/applications/${application.id}/files`,
      { name: 'noticed.txt', type: 'file' },
      { token: user.token },
    );
    await upload(reachable(file.upload, test), 'content');
    const completed = `/applications/${application.id}/files?status=completed`;
    await waitUntil(
      async () => (await test.client.get(completed, { token: user.token })).body.count === 1,
      30_000,
    );
  });
});

describe('Serving of public files', () => {
  const { test, user, application } = suiteOn('a folder', { PUBLIC_FILES_URL: 'https://files.example.com/' });

  it('uses a separate host if configured', async () => {
    const { body: file } = await test.client.post(
      `/applications/${application.id}/files`,
      { name: 'a b.txt', type: 'file' },
      { token: user.token },
    );
    await upload(reachable(file.upload, test), 'content');
    const { body } = await test.client.get(`/applications/${application.id}/file/${file.id}`, {
      token: user.token,
    });
    expect(body.url).toBe(`https://files.example.com/files/${application.id}/a%20b.txt`);
  });

  it('sandboxes files of every type', async () => {
    const { body: file } = await test.client.post(
      `/applications/${application.id}/files`,
      { name: 'page.html', type: 'file', contentType: 'text/html' },
      { token: user.token },
    );
    await upload(reachable(file.upload, test), '<script>1</script>');
    const { headers } = await fetch(`${test.client.url}/files/${application.id}/page.html`);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
      'content-disposition': expect.stringContaining('attachment'),
      'content-type': 'text/html',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, no-cache',
    });
  });
});
