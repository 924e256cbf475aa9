import { createHash } from 'node:crypto';
import { BundledApplication } from '../../../../test/make/bundles.js';
import { blocksReadBy } from '../../../../test/suites/plans.js';
import { sentBy } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { MissingChecksums } from './missing-checksums.js';
import { MissingChecksumsRepository } from './missing-checksums.repository.js';

const { test, user, application } = suite({}, { database: 'own' });

/** A checksum as earlier versions stored it. */
const OLD = '5-18c2f3a4b00';
const md5Of = (text: string) => createHash('md5').update(text).digest('hex');
const list = { files: '/files', private_files: '/privateFiles' } as const;
type Table = keyof typeof list;

let bundled: BundledApplication;
beforeEach(() => {
  bundled = new BundledApplication(test, application, user);
});

async function makeOld(table: Table, name: string, text: string): Promise<string> {
  const { id } = await bundled.makeFile(list[table], { name }, text);
  await test.dataSource.query(`UPDATE ${table} SET s3etag = $2 WHERE id = $1`, [id, OLD]);
  return id;
}
async function shown(table: Table, id: string): Promise<{ s3etag: string; lastUpdated: string }> {
  const path = table === 'files' ? `/file/${id}` : `/privateFiles/${id}`;
  const { status, body } = await test.client.get(bundled.at(path), { token: user.token });
  expect(status).toBe(200);
  return body;
}
async function fillAll(): Promise<void> {
  while (await test.app.get(MissingChecksums).fillBatch());
}

describe('Contents without an MD5', () => {
  it.each<[Table]>([['files'], ['private_files']])(
    'of %s get it in batches, and the files stay otherwise unchanged',
    async (table) => {
      const texts = Array.from({ length: 25 }, (_, i) => `content ${i}`);
      const ids = [];
      for (const [i, text] of texts.entries()) ids.push(await makeOld(table, `${i}.txt`, text));
      const before = await shown(table, ids[0]!);
      expect(before.s3etag).toBe(OLD);
      await fillAll();
      const etags = [];
      for (const id of ids) etags.push((await shown(table, id)).s3etag);
      expect(etags).toEqual(texts.map(md5Of));
      expect((await shown(table, ids[0]!)).lastUpdated).toBe(before.lastUpdated);
    },
  );

  it('are skipped if they cannot be read, and examined again later', async () => {
    const [gone, there] = [await makeOld('files', 'a', 'gone'), await makeOld('files', 'b', 'there')];
    const [{ content_key: key }] = await test.dataSource.query(
      'SELECT content_key FROM files WHERE id = $1',
      [gone],
    );
    await test.app.get<Blobs>(BLOBS).delete(key);
    await fillAll();
    expect([(await shown('files', gone)).s3etag, (await shown('files', there)).s3etag]).toEqual([
      OLD,
      md5Of('there'),
    ]);
    await test.app.get<Blobs>(BLOBS).put(key, Buffer.from('back'), { contentType: 'text/plain' });
    await fillAll();
    expect((await shown('files', gone)).s3etag).toBe(md5Of('back'));
  });

  it('are found without reading other files', async () => {
    const runner = test.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(
        `INSERT INTO files (id, creation_date, last_updated, application_id, name, type, status, parent_id, content_key, file_size, s3etag)
         SELECT 'f' || n, now(), now(), $1, 'f' || n, 'file', 'completed', '', 'k' || n, 1, md5(n::text)
         FROM generate_series(1, 5000) n`,
        [application.id],
      );
      await runner.query('ANALYZE files');
      const repository = test.app.get(MissingChecksumsRepository);
      const [sent] = await sentBy(() => repository.find('files', '', 20));
      expect(await blocksReadBy(runner, sent!)).toBeLessThan(10);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  });
});
