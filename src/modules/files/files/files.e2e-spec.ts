import { tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { FILE_KINDS, filesIn } from '../../../../test/make/files.js';

describe.each(FILE_KINDS)('%s', (many, one, table) => {
  const { test, user, application } = suite({ PROCESS_ROLE: 'all' });
  const { list, at, own, post, made, directory, get, listed, names, move, send, complete } = filesIn(
    test,
    { user, application },
    many,
    one,
  );
  let token: { token: string };
  beforeEach(() => {
    token = { token: user.token };
  });

  describe('A file', () => {
    it('is pending until its content is uploaded', async () => {
      const file = await made({ name: 'a.txt', contentType: 'text/plain', fileSize: 7 });
      expect(file).toMatchObject({
        applicationId: application.id,
        name: 'a.txt',
        type: 'file',
        status: 'pending',
        parentDirectory: '/',
        contentType: 'text/plain',
        fileSize: 7,
        authorId: user.id,
        authorType: 'user',
        upload: { url: expect.any(String), fields: { key: expect.any(String), bucket: expect.any(String) } },
      });
      expect('url' in file).toBe(many === 'files');
      expect((await get(file.id)).body).toEqual({ ...file, upload: undefined });
      expect((await send(file, 'content')).status).toBeLessThan(300);
      const { body } = await get(file.id);
      expect(body).toMatchObject({ status: 'completed', fileSize: 7, s3etag: expect.any(String) });
    });

    it('has the size of the upload if none was announced', async () => {
      expect(await complete({ name: 'a' }, 'twelve bytes')).toMatchObject({ fileSize: 12 });
    });

    it('keeps its content until new content is uploaded', async () => {
      const before = await complete({ name: 'a', contentType: 'text/plain' }, 'before');
      const patched = await test.client.patch(own(before.id), { contentType: 'text/html' }, token);
      expect(patched).toMatchObject({
        status: 201,
        body: { status: 'completed', contentType: 'text/plain' },
      });
      await send(patched.body, 'something new');
      const { body: after } = await get(before.id);
      expect(after).toMatchObject({ status: 'completed', contentType: 'text/html', fileSize: 13 });
      expect(after.s3etag).not.toBe(before.s3etag);
    });

    it('can get a new form while pending', async () => {
      const file = await made({ name: 'a', fileSize: 3 });
      const { body } = await test.client.patch(own(file.id), { fileSize: 4 }, token);
      expect(body).toMatchObject({ status: 'pending', fileSize: 4 });
      await send(body, 'four');
      expect((await get(file.id)).body).toMatchObject({ status: 'completed', fileSize: 4 });
    });

    const part = many === 'files' ? 'file' : 'privateFile';
    const form = (content: string, type: string, name: string = part) => {
      const body = new FormData();
      body.append(name, new Blob([content], { type }), 'a.txt');
      return body;
    };

    it('accepts content through the platform', async () => {
      const file = await made({ name: 'a', contentType: 'image/png' });
      const first = await test.client.post(`${own(file.id)}/upload`, form('one', 'text/plain'), token);
      expect(first).toMatchObject({
        status: 200,
        body: { id: file.id, status: 'completed', fileSize: 3, contentType: 'text/plain' },
      });
      const again = form('another', 'application/octet-stream');
      const { body } = await test.client.post(`${own(file.id)}/upload`, again, token);
      expect(body).toMatchObject({ fileSize: 7, contentType: 'text/plain' });
      expect(body.s3etag).not.toBe(first.body.s3etag);
      const read = await fetch(body.url.replace(test.config.publicUrl, test.client.url));
      expect(await read.text()).toBe('another');
    });

    it('rejects other forms, and content for a directory', async () => {
      const [file, folder] = [await made({ name: 'a' }), await directory('b')];
      const send = (id: string, body: unknown) => test.client.post(`${own(id)}/upload`, body, token);
      expect((await send(file.id, form('a', 'text/plain', 'other'))).status).toBe(400);
      expect((await send(file.id, new FormData())).status).toBe(400);
      expect((await send(file.id, { file: 'text' })).status).toBe(415);
      expect((await send(folder.id, form('a', 'text/plain'))).status).toBe(400);
      expect((await send('f'.repeat(24), form('a', 'text/plain'))).status).toBe(404);
      expect((await get(file.id)).body.status).toBe('pending');
    });

    it('is not recreated by its content when deleted during the upload', async () => {
      const file = await made({ name: 'a' });
      expect((await test.client.delete(own(file.id), token)).body).toEqual({ success: true });
      await send(file, 'late');
      expect((await get(file.id)).status).toBe(404);
      expect(await names()).toEqual([]);
    });

    it('leaves no content when it is deleted or replaced', async () => {
      const file = await complete({ name: 'a' });
      const key = async () =>
        (await test.dataSource.query(`SELECT content_key FROM ${table} WHERE id = $1`, [file.id]))[0]
          .content_key as string;
      const ends = async (of: string) =>
        (await test.dataSource.query('SELECT ends_at FROM temporary_blobs WHERE key = $1', [of])).length;
      const first = await key();
      expect(await ends(first)).toBe(0);
      await send((await test.client.patch(own(file.id), {}, token)).body, 'other');
      expect(await ends(first)).toBe(1);
      const second = await key();
      expect(second).not.toBe(first);
      await test.client.delete(own(file.id), token);
      expect(await ends(second)).toBe(1);
    });

    it.each([
      [{}, 'file.name is required'],
      [{ name: 'a', type: 'link' }, /^file\.type must be one of/],
      [{ name: 'a', colour: 'red' }, 'file.colour is not a property of file'],
      [{ name: 'a', fileSize: -1 }, 'file.fileSize must be >= 0'],
      [{ name: 'a', fileSize: 2 ** 40 }, 'file.fileSize must be <= 5368709120'],
      [{ name: 'a', contentType: 'text/html\r\nSet-Cookie: a' }, /^file\.contentType must be a media type/],
      [{ name: '..' }, 'file.name must not contain the part ..'],
      [{ name: 'a/b' }, 'file.name must not contain slashes, backslashes or control characters'],
      [{ name: 'a', parentDirectory: '/x/../y' }, 'file.parentDirectory must not contain the part ..'],
      [{ name: 'a', parentDirectory: '//x' }, 'file.parentDirectory must not contain empty parts'],
    ])('is not created from %j', async (body, message) => {
      const refused = await post({ ...body });
      expect(refused.status).toBe(400);
      expect(refused.body.message).toMatch(typeof message === 'string' ? `${message}` : message);
    });

    it('returns 404 when it does not exist', async () => {
      const id = 'f'.repeat(24);
      const answers = [
        await get(id),
        await test.client.patch(own(id), {}, token),
        await move(id, { name: 'b' }),
        await test.client.delete(own(id), token),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    });
  });

  describe('The list of files', () => {
    it('is sorted, filtered and paged', async () => {
      await complete({ name: 'pump b' });
      await made({ name: 'pump a' });
      await directory('valves');
      expect(await names('filter=PUMP*')).toEqual(['/pump a', '/pump b']);
      expect(await names('status=pending')).toEqual(['/pump a']);
      expect(await names('status=completed&type=file')).toEqual(['/pump b']);
      expect(await names('type=directory')).toEqual(['/valves']);
      expect(await listed('perPage=1&page=1')).toMatchObject({ count: 1, totalCount: 3, page: 1 });
      for (const wrong of ['type=link', 'status=deleting', 'directory=/a/../b', 'sortField=id'])
        expect((await test.client.get(at(`${list}?${wrong}`), token)).status).toBe(400);
    });
  });

  describe('Concurrent requests', () => {
    it('create one file of the same name and reject the others', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => post({ name: 'same', parentDirectory: '/x' })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    });

    it('upload content to the same file, and the last complete one is kept', async () => {
      const file = await made({ name: 'a' });
      const { body: other } = await test.client.patch(own(file.id), {}, token);
      const contents = ['one', 'three'];
      const sent = await Promise.all([send(file, contents[0]!), send(other, contents[1]!)]);
      for (const { status } of sent) expect(status).toBeLessThan(300);
      expect(contents.map((text) => text.length)).toContain((await get(file.id)).body.fileSize);
      const [{ count }] = await test.dataSource.query(
        `SELECT count(*)::int FROM file_uploads WHERE file_id = $1`,
        [file.id],
      );
      expect(count).toBe(0);
    });
  });

  it.each([
    [undefined, 401, 401],
    [`${many}.get`, 200, 403],
    [`${many}.*`, 200, 201],
    ['all.User.read', 200, 403],
    ['all.User.cli', 200, 201],
    ['all.Application', 200, 201],
  ])('return, with the scope %s, %i on reads and %i on creation', async (scope, read, written) => {
    const as = scope ? { token: tokenOf(test, user.id, [scope]) } : {};
    expect((await test.client.get(at(list), as)).status).toBe(read);
    expect((await test.client.post(at(list), { name: 'a', type: 'file' }, as)).status).toBe(written);
  });

  it('distinguishes names in every script, regardless of Unicode normalization', async () => {
    const scripts = [
      'Ünïcode',
      '日本語',
      'العربية',
      'עברית',
      'ไทย',
      'Ελληνικά',
      '💥🚰',
      'a b%2f?#&;=+',
      '\'"<>',
    ];
    for (const name of scripts) await complete({ name, parentDirectory: `/${name}` });
    for (const name of scripts) {
      const { items } = await listed(`directory=${encodeURIComponent(name)}`);
      expect(items).toMatchObject([{ name, parentDirectory: `/${name}/` }]);
    }
    const decomposed = 'Ünïcode'.normalize('NFD');
    const refused = await post({ name: decomposed, parentDirectory: `/${decomposed}` });
    expect(refused.body.message).toBe('file.name is not available');
  });
});
