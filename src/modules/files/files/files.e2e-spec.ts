import { reachable, upload } from '../../../../test/make/upload-forms.js';
import { makeApplication, makeOrg, tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';

const KINDS = [
  ['files', 'file', 'files'],
  ['privateFiles', 'privateFiles', 'private_files'],
] as const;

describe.each(KINDS)('%s', (many, one, table) => {
  const { test, user, application } = suite({ PROCESS_ROLE: 'all' });
  let token: { token: string };
  beforeEach(() => {
    token = { token: user.token };
  });
  const list = `/${many}`;
  const at = (path: string) => `/applications/${application.id}${path}`;
  const own = (id: string) => at(`/${one}/${id}`);

  const post = (body: object) => test.client.post(at(list), { type: 'file', ...body }, token);
  const made = async (body: object) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 201 });
    return answer.body;
  };
  const directory = (name: string, parentDirectory = '/') =>
    made({ name, parentDirectory, type: 'directory' });
  const get = (id: string) => test.client.get(own(id), token);
  const listed = async (query = '') => (await test.client.get(at(`${list}?${query}`), token)).body;
  const names = async (query = '') =>
    (await listed(`sortField=name&${query}`)).items.map((file: any) => file.parentDirectory + file.name);
  const move = (id: string, query: Record<string, string>) =>
    test.client.post(`${own(id)}/move?${new URLSearchParams(query).toString()}`, undefined, token);
  const send = (file: any, content: string) => upload(reachable(file.upload, test), content);
  const complete = async (body: object, content = 'content') => {
    const file = await made(body);
    expect((await send(file, content)).status).toBeLessThan(300);
    return (await get(file.id)).body;
  };

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
      expect(file).not.toHaveProperty('url');
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

  describe('Directories', () => {
    it('are created as part of a path, once, including with concurrent requests', async () => {
      await Promise.all([1, 2, 3, 4, 5].map((n) => made({ name: `f${n}`, parentDirectory: '/a/b/c' })));
      expect(await names('type=directory')).toEqual(['/a', '/a/b', '/a/b/c']);
      expect(await names('directory=a/b/c')).toHaveLength(5);
    });

    it('can be created directly, without content', async () => {
      const made = await directory('pictures');
      expect(made).toMatchObject({ type: 'directory', status: 'completed', parentDirectory: '/' });
      expect(made).not.toHaveProperty('upload');
      const refused = await test.client.patch(own(made.id), {}, token);
      expect(refused).toMatchObject({ status: 400, body: { message: 'A directory cannot have content' } });
    });

    it('cannot be below files', async () => {
      await made({ name: 'a' });
      expect((await post({ name: 'b', parentDirectory: '/a' })).body.message).toBe(
        'parentDirectory contains a file',
      );
    });

    it('can be listed with their direct contents', async () => {
      await made({ name: 'top' });
      await made({ name: 'deep', parentDirectory: '/a/b' });
      expect(await names('directory=/')).toEqual(['/a', '/top']);
      expect(await names('directory=/a/')).toEqual(['/a/b']);
      expect(await listed('directory=/a')).toMatchObject({ parentExists: true, totalCount: 1 });
      expect(await listed('directory=/none')).toMatchObject({
        parentExists: false,
        items: [],
        totalCount: 0,
      });
      expect(await listed('directory=/top')).toMatchObject({ parentExists: false });
      expect(await listed()).not.toHaveProperty('parentExists');
    });

    it('count toward the limit together with their contents', async () => {
      const org = await makeOrg(test, user.token);
      const { id } = await makeApplication(test, user.token, { orgId: org.id });
      const limit = many === 'files' ? 'file' : 'privatefile';
      await test.dataSource.query('UPDATE orgs SET limits = $2 WHERE id = $1', [org.id, { [limit]: 3 }]);
      const path = `/applications/${id}${list}`;
      const deep = { name: 'a', type: 'file', parentDirectory: '/1/2/3' };
      expect((await test.client.post(path, deep, token)).status).toBe(400);
      expect((await test.client.post(path, { ...deep, parentDirectory: '/1/2' }, token)).status).toBe(201);
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

  describe('Moving', () => {
    it('renames a file and places it in a new directory', async () => {
      const file = await complete({ name: 'a' });
      expect((await move(file.id, { name: 'b' })).body).toMatchObject({ id: file.id, name: 'b' });
      const { status, body } = await move(file.id, { parentDirectory: '/x/y' });
      expect([status, body.parentDirectory, body.name]).toEqual([201, '/x/y/', 'b']);
      const { s3etag, fileSize } = file;
      expect((await get(file.id)).body).toMatchObject({ parentDirectory: '/x/y/', s3etag, fileSize });
    });

    it('keeps the contents of a directory', async () => {
      await made({ name: 'deep', parentDirectory: '/a/b/c' });
      const [a] = (await listed('directory=/')).items;
      expect((await move(a.id, { name: 'z', parentDirectory: '/new' })).status).toBe(201);
      expect(await names()).toEqual(
        ['/new/z/b', '/new/z/b/c', '/new/z/b/c/deep', '/new', '/new/z'].sort(byName),
      );
    });

    it('rejects moving a directory into itself', async () => {
      const a = await directory('a');
      await directory('b', '/a');
      for (const parentDirectory of ['/a', '/a/b', '/a/b/c']) {
        const refused = await move(a.id, { parentDirectory });
        expect(refused.status).toBe(400);
        expect(refused.body.message).toBe('parentDirectory must not be inside the directory itself');
      }
      expect(await names()).toEqual(['/a', '/a/b']);
    });

    it('does not move two directories into each other, including with concurrent requests', async () => {
      for (let round = 0; round < 5; round++) {
        const [a, b] = [await directory(`a${round}`), await directory(`b${round}`)];
        const answers = await Promise.all([
          move(a.id, { parentDirectory: `/${b.name}` }),
          move(b.id, { parentDirectory: `/${a.name}` }),
        ]);
        // The second request recreates the directory that has moved away, or is rejected.
        expect(answers.map(({ status }) => status)).toContain(201);
        const whole = [(await get(a.id)).body, (await get(b.id)).body];
        for (const { parentDirectory } of whole) expect(parentDirectory).toMatch(/^\//);
      }
    });

    it('rejects existing names and changes nothing without parameters', async () => {
      const [a] = [await made({ name: 'a' }), await made({ name: 'b' })];
      expect((await move(a.id, { name: 'b' })).body.message).toBe('file.name is not available');
      expect((await move(a.id, {})).body).toMatchObject({ name: 'a', parentDirectory: '/' });
      expect((await move(a.id, { name: '../b' })).status).toBe(400);
    });

    it('rejects paths that would be too long or too deep', async () => {
      const a = await directory('a');
      const below = 'x'.repeat(1000);
      await directory(below, '/a');
      expect((await move(a.id, { name: 'n'.repeat(21) })).status).toBe(201);
      expect((await move(a.id, { name: 'n'.repeat(22) })).status).toBe(400);
      const deep = Array.from({ length: 98 }, (_, n) => String(n)).join('/');
      expect((await move(a.id, { name: 'a', parentDirectory: deep })).status).toBe(400);
    });
  });

  describe('Deleting a directory', () => {
    const fill = (id: string, files: number) =>
      test.dataSource.query(
        `INSERT INTO ${table} (id, application_id, parent_id, name, type, status, content_key, creation_date, last_updated)
         SELECT substr(md5($1 || n), 1, 24), $2, $1, 'f' || n, 'file', 'completed', 'files/gone/' || $1 || n, now(), now()
         FROM generate_series(1, $3::int) n`,
        [id, application.id, files],
      );
    const rows = async () =>
      (await test.dataSource.query(`SELECT 1 FROM ${table} WHERE application_id = $1`, [application.id]))
        .length;

    it('deletes a few files in the request', async () => {
      const a = await directory('a');
      await made({ name: 'deep', parentDirectory: '/a/b/c' });
      await made({ name: 'other' });
      expect((await test.client.delete(own(a.id), token)).body).toEqual({ success: true });
      expect(await names()).toEqual(['/other']);
    });

    it('deletes many files in a job and releases the name immediately', async () => {
      const a = await directory('a');
      const [b] = [await directory('b', '/a')];
      await fill(a.id, 1_500);
      await fill(b.id, 1_500);
      expect((await test.client.delete(own(a.id), token)).status).toBe(200);
      expect((await test.client.delete(own(a.id), token)).status).toBe(404);
      await made({ name: 'anew', parentDirectory: '/a' });
      await waitUntil(async () => (await rows()) === 2);
      expect(await names()).toEqual(['/a', '/a/anew']);
      const [{ count }] = await test.dataSource.query(
        `SELECT count(*)::int FROM temporary_blobs WHERE key LIKE 'files/gone/' || $1 || '%'`,
        [a.id],
      );
      expect(count).toBe(1_500);
    });

    it('deletes concurrently created files or keeps them in a new directory', async () => {
      for (let round = 0; round < 5; round++) {
        const a = await directory('a');
        const [deleted, put] = await Promise.all([
          test.client.delete(own(a.id), token),
          post({ name: `f${round}`, parentDirectory: '/a/b' }),
        ]);
        expect([deleted.status, put.status]).toEqual([200, 201]);
        const left: string[] = await names();
        // Either the complete path exists or nothing.
        expect([[], ['/a', '/a/b', `/a/b/f${round}`]]).toContainEqual([...left].sort());
        for (const { id, parentDirectory } of (await listed()).items)
          if (parentDirectory === '/') await test.client.delete(own(id), token);
      }
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

/** Sorts like the list: by name only. */
const byName = (a: string, b: string) => (a.split('/').at(-1)! < b.split('/').at(-1)! ? -1 : 1);
