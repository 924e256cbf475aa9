import { makeApplication, makeOrg } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { FILE_KINDS, filesIn } from '../../../../test/make/files.js';

describe.each(FILE_KINDS)('%s', (many, one, table) => {
  const { test, user, application } = suite({ PROCESS_ROLE: 'all' });
  const { list, own, post, made, directory, get, listed, names, move, complete } = filesIn(
    test,
    { user, application },
    many,
    one,
  );
  let token: { token: string };
  beforeEach(() => {
    token = { token: user.token };
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
});

/** Sorts like the list: by name only. */
const byName = (a: string, b: string) => (a.split('/').at(-1)! < b.split('/').at(-1)! ? -1 : 1);
