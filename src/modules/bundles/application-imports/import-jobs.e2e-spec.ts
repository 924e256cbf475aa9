import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Like } from 'typeorm';
import { BARE, importsOf, yamlOf } from '../../../../test/make/bundle-imports.js';
import { waitForOutcome } from '../../../../test/make/exports.js';
import { mailsTo } from '../../../../test/doubles/mails.js';
import { suite } from '../../../../test/setup/suite.js';
import { zipOf } from '../../../../test/make/zip-files.js';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { aggregateCounts } from '../../../platform/counts/counts-aggregator.js';
import { Database } from '../../../platform/database/database.js';
import { newId } from '../../../platform/repositories/resource.js';
import { ApplicationImportJob, type ImportJob } from './import.job.js';
import { importsFolder } from './importer.js';
import { TemporaryBlob } from '../../../platform/blobs/temporary-blob.entity.js';

const env: Record<string, string> = {};
let bundle: Buffer = Buffer.alloc(0);
let server: Server;
/** Called before the server sends the bundle. */
let beforeBundle: () => Promise<void> = () => Promise.resolve();
beforeAll(async () => {
  server = createServer((request, response) => {
    response.statusCode = request.url?.startsWith('/bundle.zip') ? 200 : 404;
    void beforeBundle().then(() => response.end(bundle));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  env.IMPORT_ORIGINS = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
const { test, user, application } = suite(env, { retries: false });
const imports = importsOf(test, user);
const all = async (): Promise<number> =>
  (await test.client.get('/applications', { token: user.token })).body.totalCount;

describe('import job', () => {
  it('creates the application and notifies the caller by email', async () => {
    const before = await all();
    const contents = { ...BARE, 'devices.yaml': yamlOf('DeviceTree', [{ name: 'A' }, { name: 1 }]) };
    const { status, body } = await imports.new(contents, { options: { forceJob: true } });
    expect({ status, body }).toMatchObject({ status: 202, body: { success: true, jobQueued: true } });
    expect((await waitForOutcome(test, body.jobId)).status).toBe('completed');
    expect(await all()).toBe(before + 1);
    const [mail] = await mailsTo(test, user.email);
    expect(mail!.subject).toBe('The import of an application is done');
    expect(mail!.text).toContain('device.name must be a string');
    const made = /The application ([\da-f]{24}) was created/.exec(String(mail!.text))![1]!;
    const logs = await test.client.get(`/applications/${made}/jobLogs`, { token: user.token });
    expect(logs.body.items).toMatchObject([
      {
        name: 'applications.import',
        input: { emails: [user.email], ownerId: user.id, ownerType: 'user' },
        output: {
          applicationId: made,
          validationErrors: [{ type: 'Device', message: 'devices.yaml: device.name must be a string' }],
        },
      },
    ]);
  });

  it('deletes the uploaded bundle after success and after failure', async () => {
    const into = `/applications/${application.id}/import`;
    const bytes = await zipOf(BARE);
    const answers = [
      await imports.new(BARE),
      await imports.send(into, { nothing: 'known' }, bytes),
      await imports.send(into, { options: { repo: {} } }, bytes),
      await imports.send(into, {}, Buffer.from('no zip file')),
      await imports.send(into, { options: { forceJob: true } }, bytes),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 400, 400, 400, 202]);
    await waitForOutcome(test, answers.at(-1)!.body.jobId);
    const { body } = await imports.send(into, { options: { forceJob: true } }, Buffer.from('no zip file'));
    expect((await waitForOutcome(test, body.jobId)).status).toBe('errored');
    const stored = await test.dataSource.manager.findBy(TemporaryBlob, { key: Like('imports/%') });
    expect(stored.length).toBeGreaterThanOrEqual(answers.length);
    const blobs = test.app.get<Blobs>(BLOBS);
    for (const { key } of stored) expect(await blobs.find(key)).toBeUndefined();
  });

  it.each([
    ['is given up', false],
    ['was completed before', true],
  ])('removes the files of attempts whose worker died if it %s', async (_, wasCompleted) => {
    const id = newId();
    if (wasCompleted)
      await test.dataSource.query(
        `INSERT INTO application_imports (id, application_id, status, asked, result, source_id, source_type, run_queued_at)
         VALUES ($1, $2, 'completed', '{}', '{}', $3, 'user', now())`,
        [id, application.id, user.id],
      );
    const folder = join(importsFolder(test.config), `${id}~left`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'bundle.zip'), 'content');
    const task: ImportJob = {
      id,
      application: { id: application.id, ownerId: user.id, ownerType: 'user' },
      isNew: false,
      isLimited: false,
      source: { type: 'importUrl', url: `${env.IMPORT_ORIGINS}/bundle.zip` },
      without: [],
      conflictBehavior: 'create',
      dryRun: false,
      by: {} as never,
      listeners: {},
    };
    const ended = test.app.get(ApplicationImportJob, { strict: false }).run(task, {
      id: newId(),
      attempt: 6,
      isLastAttempt: true,
      permanentFailure: new Error('Its worker died'),
      signal: new AbortController().signal,
      progress: () => Promise.resolve(),
      saveState: () => Promise.resolve(),
    });
    await (wasCompleted ? ended : expect(ended).rejects.toThrow('Its worker died'));
    expect(existsSync(folder)).toBe(false);
  });

  it('fetches a bundle from a URL and records it in the log', async () => {
    bundle = await zipOf(BARE);
    const path = `/applications/${application.id}/import`;
    const asked = (importUrl: string) => imports.send(path, { options: { importUrl } });
    const good = await asked(`${env.IMPORT_ORIGINS}/bundle.zip?signature=hidden`);
    expect(good.status).toBe(202);
    const { progress } = await waitForOutcome(test, good.body.jobId);
    expect(progress).toEqual({ status: 'Done', completed: 1, total: 1 });
    for (const url of ['https://127.0.0.2/bundle.zip', 'file:///etc/passwd', 'http://example.com/a.zip'])
      expect((await asked(url)).body.message).toBe(
        'options.importUrl must be an https URL of a public server without user information',
      );
    for (const url of [`${env.IMPORT_ORIGINS}/none.zip`, 'https://localhost/bundle.zip']) {
      const { body } = await asked(url);
      expect((await waitForOutcome(test, body.jobId)).status).toBe('errored');
    }
    const log = await imports.log(application.id);
    expect(log.map(({ status, error, jobId }) => [status, error?.message, typeof jobId])).toEqual([
      ['errored', 'options.importUrl cannot be fetched', 'string'],
      ['errored', 'options.importUrl returned the status 404', 'string'],
      ['completed', undefined, 'string'],
    ]);
    expect(log.at(-1).importUrl).toBe(`${env.IMPORT_ORIGINS}/bundle.zip`);
    const jobs = await test.client.get(`/applications/${application.id}/jobLogs`, { token: user.token });
    expect(jobs.body.items[0]).toMatchObject({
      input: { fileUrl: `${env.IMPORT_ORIGINS}/` },
      output: { validationErrors: [] },
    });
    expect(JSON.stringify(jobs.body)).not.toContain('hidden');
  });

  it('is counted in the log of the application, which does not exist when the job is created', async () => {
    bundle = await zipOf(BARE);
    const fold = async () => {
      while (await aggregateCounts(test.app.get(Database)));
    };
    beforeBundle = fold;
    const importUrl = `${env.IMPORT_ORIGINS}/bundle.zip`;
    const { body } = await imports.send('/applications/import', { options: { importUrl } });
    const { status, result } = await waitForOutcome(test, body.jobId);
    expect(status).toBe('completed');
    const path = `/applications/${(result as { applicationId: string }).applicationId}/jobLogs`;
    for (const done of [() => Promise.resolve(), fold]) {
      await done();
      expect((await test.client.get(path, { token: user.token })).body.totalCount).toBe(1);
    }
    beforeBundle = () => Promise.resolve();
    await test.dataSource.query('DELETE FROM jobs WHERE id = $1', [body.jobId]);
    expect((await test.client.get(path, { token: user.token })).body.totalCount).toBe(0);
  });

  it('blocks other imports of the same owner until it has finished', async () => {
    await test.dataSource.query(
      `INSERT INTO import_turns (owner_id, import_id, ends_at) VALUES ($1, 'other', now() + interval '1 hour')`,
      [user.id],
    );
    const busy = await imports.new(BARE);
    expect(busy).toMatchObject({ status: 429, body: { type: 'TooManyRequests' } });
    const clone = await test.client.post(`/applications/${application.id}/clone`, {}, { token: user.token });
    expect(clone.status).toBe(429);
    // A deleted job, and a request whose process has crashed.
    for (const change of [`job_id = 'gone'`, `job_id = NULL, ends_at = now() - interval '1 ms'`]) {
      await test.dataSource.query(`UPDATE import_turns SET ${change} WHERE owner_id = $1`, [user.id]);
      expect((await imports.new(BARE)).status).toBe(201);
      await test.dataSource.query(
        `INSERT INTO import_turns (owner_id, import_id, ends_at) VALUES ($1, 'other', now() + interval '1 hour')`,
        [user.id],
      );
    }
  });

  it('allows one concurrent import per owner', async () => {
    const before = await all();
    const answers = await Promise.all(Array.from({ length: 5 }, () => imports.new(BARE)));
    const made = answers.filter(({ status }) => status === 201).length;
    expect(made).toBeGreaterThanOrEqual(1);
    expect(answers.every(({ status }) => status === 201 || status === 429)).toBe(true);
    expect(await all()).toBe(before + made);
  });
});
