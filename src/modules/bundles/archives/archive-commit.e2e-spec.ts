import { startS3Archive, type ArchiveServer } from '../../../../test/doubles/archive-stores.js';
import { waitForOutcome } from '../../../../test/make/exports.js';
import { GitServer } from '../../../../test/doubles/git-server.js';
import { makeApplication, makeOrg } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { Job } from '../../../platform/jobs/job.entity.js';
import { DailyArchives } from './daily-archives.js';

const env: Record<string, string> = {};
let store: ArchiveServer;
let git: GitServer;
beforeAll(async () => {
  store = await startS3Archive();
  git = await GitServer.start();
  env.ARCHIVE_S3_ENDPOINT = store.endpoint;
  env.GIT_ORIGINS = git.origin;
});
afterAll(() => Promise.all([store.close(), git.stop()]));
const { test, user } = suite(env);

it('The daily archive commits the application to a repository once a day if configured', async () => {
  const options = { token: user.token };
  const { id: orgId } = await makeOrg(test, user.token);
  const { id } = await makeApplication(test, user.token, { orgId });
  const path = `/applications/${id}`;
  const configure = (archiveConfig: object) =>
    test.client.patch(path, { archiveConfig: { s3: store.settings, ...archiveConfig } }, options);
  const runs = () =>
    test.dataSource
      .getRepository(Job)
      .createQueryBuilder('job')
      .where(`job.name = 'application.dailyCommit' AND job.payload->>'applicationId' = :id`, { id })
      .orderBy('job.creationDate')
      .getMany();
  /** Starts the archives that are due and returns the result of the latest commit. */
  async function run() {
    const archives = test.app.get(DailyArchives, { strict: false });
    const beginAll = async () => {
      while ((await archives.startDue()) > 0);
    };
    await Promise.all([beginAll(), beginAll()]);
    const latest = (await runs()).at(-1)!;
    return waitForOutcome(test, latest.id);
  }
  const tomorrow = () =>
    test.dataSource.query(
      `UPDATE archive_schedules SET run_at = now() - interval '1 ms' WHERE application_id = $1`,
      [id],
    );

  const repo = { directory: 'daily', commitMessage: 'Of the day' };
  const applicationExportOptions = { credentialName: 'repository', includeDevices: true, repo };
  const config = { includeApplicationExport: true, applicationExportOptions };
  const at = 'application.archiveConfig.applicationExportOptions';
  expect((await configure(config)).body.message).toBe(
    `${at}.credentialName does not match a credential of the application`,
  );
  expect((await configure({ includeApplicationExport: true })).body.message).toBe(`${at} is required`);

  await git.make(id);
  const signIn = { type: 'http-password', username: 'ada', secretValue: 'hidden-token' };
  const gitConfig = { ...signIn, cloneUrl: git.url(id) };
  await test.client.post(`${path}/credentials`, { name: 'repository', type: 'git', gitConfig }, options);
  expect(await configure(config)).toMatchObject({ status: 200 });
  await test.client.post(`${path}/devices`, { name: 'Pump' }, options);
  const first = await run();
  const repoUrl = git.url(id);
  const commit = await git.git(id, 'rev-parse', 'main');
  expect(first).toMatchObject({ status: 'completed', result: { noChanges: false, commit, repoUrl } });
  expect(Object.keys(await git.files(id))).toContain('daily/devices.yaml');
  expect(await git.git(id, 'log', '--format=%s', 'main')).toBe('Of the day');
  expect((await run()).id).toBe(first.id);
  await tomorrow();
  expect(await run()).toMatchObject({ status: 'completed', result: { noChanges: true, commit, repoUrl } });
  await configure({ ...config, includeApplicationExport: false });
  await tomorrow();
  await run();
  expect(await runs()).toHaveLength(2);
});
