import { startS3Archive, type ArchiveServer } from '../doubles/archive-stores.js';
import { moveClock } from '../doubles/clock.js';
import { makeDevice, storePoints } from './device-points.js';
import { waitForOutcome } from './exports.js';
import { makeApplication, makeOrg } from './make.js';
import { suite } from '../setup/suite.js';
import { DAY, dayOf } from '../../src/modules/bundles/archives/archive-days.js';
import { ArchiveJobs } from '../../src/modules/bundles/archives/archive.jobs.js';
import type { Job } from '../../src/platform/jobs/job.entity.js';
import type { JobContext } from '../../src/platform/jobs/on-job.js';

/** Archives cover days in the past, so data must be retained that long. */
export const RETENTION_DAYS = 60;
const TODAY = dayOf(Date.now());
export const daysAgo = (days: number): number => TODAY - days * DAY;

/** Returns an attempt at a job as passed to its handler. */
export const attempt = (more: Partial<JobContext> = {}): JobContext => ({
  id: 'a-job',
  attempt: 1,
  isLastAttempt: false,
  signal: new AbortController().signal,
  progress: () => Promise.resolve(),
  saveState: () => Promise.resolve(),
  ...more,
});

/** Runs the platform with an S3 store, and creates an application archived there for each test. */
export function archiveSuite() {
  // The clock is set to noon when the suite starts, so that no test crosses midnight.
  let putClockRight: () => void;
  beforeAll(() => (putClockRight = moveClock(TODAY + DAY / 2 - Date.now())));
  afterAll(() => putClockRight());

  const env: Record<string, string> = {};
  let store: ArchiveServer;
  beforeAll(async () => {
    store = await startS3Archive();
    env.ARCHIVE_S3_ENDPOINT = store.endpoint;
  });
  afterAll(() => store.close());
  const { test, user } = suite(env);
  const application = { id: '', orgId: '', path: '' };

  const options = () => ({ token: user.token });
  const keepFor = (days: number) =>
    test.dataSource.query(`UPDATE orgs SET limits = jsonb_build_object('dataTTL', $2::int) WHERE id = $1`, [
      application.orgId,
      days * 86_400,
    ]);

  beforeEach(async () => {
    const { id: orgId } = await makeOrg(test, user.token);
    application.orgId = orgId;
    await keepFor(RETENTION_DAYS);
    const archiveConfig = { s3: store.settings, directory: '{{globals.site}}' };
    const globals = [{ key: 'site', json: JSON.stringify(`site-${orgId}`) }];
    const { id } = await makeApplication(test, user.token, { orgId, archiveConfig, globals });
    Object.assign(application, { id, path: `/applications/${id}` });
  });

  const get = (operation: string) => test.client.get(`${application.path}/${operation}`, options());

  return {
    test,
    user,
    application,
    options,
    keepFor,
    get,
    /** All objects in the store, by key. */
    stored: () => store.objects(),
    jobs: () => test.app.get(ArchiveJobs, { strict: false }),
    makePump: (more: object = {}) => makeDevice(test, application.id, user.token, more),

    /** Changes the archive configuration. */
    configure(archiveConfig: object) {
      const whole = { s3: store.settings, directory: `site-${application.orgId}`, ...archiveConfig };
      return test.client.patch(application.path, { archiveConfig: whole }, options());
    },

    /** Makes a device report its pressure at the given times. */
    report: (device: { id: string; applicationId: string }, ...times: number[]) =>
      storePoints(
        test,
        device,
        times.map((time, value) => ({ attribute: 'pressure', time, value })),
      ),

    async makeEvent(subject: string, time: number): Promise<void> {
      const event = { level: 'info', subject };
      const { body } = await test.client.post(`${application.path}/events`, event, options());
      const set = 'UPDATE events SET creation_date = $2 WHERE id = $1';
      await test.dataSource.query(set, [body.id, new Date(time)]);
    },

    /**
     * Returns the archived objects by key below the directory of the application, without those written when settings
     * are tested.
     */
    async archived(): Promise<Record<string, string>> {
      const folder = `site-${application.orgId}/`;
      const entries = Object.entries(await store.objects());
      return Object.fromEntries(
        entries.flatMap(([key, text]) =>
          key.startsWith(folder) && !key.endsWith('.txt') ? [[key.slice(folder.length), text]] : [],
        ),
      );
    },

    /** Requests an archive and returns its finished job. */
    async done(operation: string): Promise<Job> {
      const answer = await get(operation);
      expect(answer).toMatchObject({ status: 202, body: { success: true, jobQueued: true } });
      const job = await waitForOutcome(test, answer.body.jobId);
      expect(job).toMatchObject({ status: 'completed', error: null });
      return job;
    },
  };
}
