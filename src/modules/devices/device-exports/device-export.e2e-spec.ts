import { CallbackReceiver } from '../../../../test/doubles/callback-receiver.js';
import { makeDevice as makeAnyDevice } from '../../../../test/make/device-tokens.js';
import { download, waitForOutcome, mailedLink } from '../../../../test/make/exports.js';
import { mailsTo } from '../../../../test/doubles/mails.js';
import { makeApplication, makeMember, makeOrg, uniqueName } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { BlobMissing, BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { TemporaryBlob } from '../../../platform/blobs/temporary-blob.entity.js';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { Job } from '../../../platform/jobs/job.entity.js';
import type { JobContext } from '../../../platform/jobs/on-job.js';
import { newId } from '../../../platform/repositories/resource.js';
import { DATA_EXPORT, DataExportJob, type DataExport } from './data-export.job.js';
import { ExportedDevicesRepository } from './exported-devices.repository.js';

const DAY = Date.parse('2026-01-05T00:00:00Z');
const ATTRIBUTES = [
  { name: 'pressure', dataType: 'number' },
  { name: 'place', dataType: 'gps' },
  { name: 'note', dataType: 'string' },
  { name: 'on', dataType: 'boolean' },
  { name: 'photo', dataType: 'blob' },
];

const receiver = new CallbackReceiver();
const env: Record<string, string> = { EXPORT_INTERVAL: '300' };
beforeAll(async () => {
  env.CALLBACK_ORIGINS = await receiver.start();
});
afterAll(() => receiver.stop());
const { test, user, application } = suite(env, { database: 'own', retries: false });

let device: any;
let path: string;

beforeAll(() =>
  test.dataSource.query(
    `CREATE TABLE device_points_tested PARTITION OF device_points FOR VALUES FROM (${DAY}) TO (${DAY + 86_400_000})`,
  ),
);
beforeEach(async () => {
  device = await makeDevice();
  path = `/applications/${application.id}/devices/${device.id}/export`;
});

const makeDevice = (more: object = {}, at = application, token = user.token): Promise<any> =>
  makeAnyDevice(test, token, at.id, { name: 'Pump "3"', attributes: ATTRIBUTES, ...more });

/** Stores points of the device: second of the day, number of the attribute, and value. */
const report = (rows: [second: number, attribute: number, value: number | boolean | string][]) =>
  test.dataSource.query(
    `INSERT INTO device_points (application_id, device_id, attribute, time, number, boolean, text)
     SELECT $1, $2, (r->>1)::int, $3::bigint + (r->>0)::int * 1000,
       CASE jsonb_typeof(r->2) WHEN 'number' THEN (r->>2)::float8 END,
       CASE jsonb_typeof(r->2) WHEN 'boolean' THEN (r->>2)::boolean END,
       CASE jsonb_typeof(r->2) WHEN 'string' THEN r->>2 END
     FROM jsonb_array_elements($4) r`,
    [application.id, device.id, DAY, JSON.stringify(rows)],
  );

const ask = (body?: object, query = '', token = user.token) =>
  test.client.request('POST', path + query, { token, body });
/** Returns the lines of the exported file. */
async function exported(body?: object, query = ''): Promise<string[]> {
  const { body: answer } = await ask(body, query);
  expect((await waitForOutcome(test, answer.jobId)).status).toBe('completed');
  const response = await download(test, await mailedLink(test, user.email));
  return (await response.text()).split('\r\n');
}

describe('Export of a device', () => {
  it('generates a CSV file of the reported values and emails a link to the calling user', async () => {
    await report([
      [2, 1, 20.5],
      [1, 1, -10],
      [1, 2, '-33.8,151.2'],
      [1, 3, '=1+1'],
      [3, 4, false],
      [3, 5, 'aGVsbG8='],
      [4, 5, 'aGVsbG8='],
    ]);
    const { status, body } = await ask();
    expect([status, body]).toEqual([202, { success: true, jobQueued: true, jobId: expect.any(String) }]);
    const job = await waitForOutcome(test, body.jobId);
    expect([job.status, job.payload]).toEqual(['completed', {}]);
    const response = await download(test, await mailedLink(test, user.email));
    expect(response.headers.get('content-disposition')).toContain(`Pump-3--${device.id}.csv`);
    expect(await response.text()).toBe(
      [
        'Timestamp,ISO Date,pressure,place,note,on',
        `${DAY + 1000},"2026-01-05T00:00:01.000Z",-10,"-33.8,151.2",'=1+1,`,
        `${DAY + 2000},"2026-01-05T00:00:02.000Z",20.5,,,`,
        `${DAY + 3000},"2026-01-05T00:00:03.000Z",,,,false`,
        '',
      ].join('\r\n'),
    );
    const [mail] = await mailsTo(test, user.email);
    expect(mail!.subject).toBe('The export of the data of Pump "3" is done');
  });

  it('contains the attributes, time range and columns requested in the body', async () => {
    await report([
      [1, 1, 1],
      [2, 1, 2],
      [2, 4, true],
      [3, 5, 'aGVsbG8='],
      [4, 1, 4],
    ]);
    const lines = await exported({
      start: DAY + 2000,
      end: DAY + 4000,
      attributes: ['photo', 'gone', 'pressure', 'photo'],
      options: { includeDate: false, includeBlobData: true, includeID: false },
    });
    expect(lines).toEqual([
      'Timestamp,photo,gone,pressure',
      `${DAY + 2000},,,2`,
      `${DAY + 3000},aGVsbG8=,,`,
      '',
    ]);
  });

  it('accepts the same options in the query, which the body overrides', async () => {
    await report([
      [1, 1, 1],
      [2, 5, 'aGVsbG8='],
      [3, 1, 3],
    ]);
    const query = `?start=${DAY + 2000}&end=${DAY + 3000}&includeBlobData=true`;
    const lines = await exported({ attributes: ['pressure', 'photo'], end: DAY + 4000 }, query);
    expect(lines.slice(1).map((line) => line.replace(/"[^"]*"/, ''))).toEqual([
      `${DAY + 2000},,,aGVsbG8=`,
      `${DAY + 3000},,3,`,
      '',
    ]);
  });

  it('of a device without values contains only the heading', async () => {
    expect(await exported({ options: { includeDate: false } })).toEqual([
      'Timestamp,pressure,place,note,on',
      '',
    ]);
  });

  it('reads many points in pages, each point once', async () => {
    await test.dataSource.query(
      `INSERT INTO device_points (application_id, device_id, attribute, time, number)
       SELECT $1, $2, a, $3::bigint + n * 100, n FROM generate_series(1, 2) a, generate_series(1, 15000) n`,
      [application.id, device.id, DAY],
    );
    const devices = test.app.get(ExportedDevicesRepository);
    const found: number[] = [];
    const pointsOf = devices.pointsOf.bind(devices);
    devices.pointsOf = (of) => async (wanted) => {
      const points = await pointsOf(of)(wanted);
      found.push(points.length);
      return points;
    };
    try {
      expect(
        await exported({ attributes: ['pressure', 'place'], options: { includeDate: false } }),
      ).toHaveLength(15_002);
    } finally {
      devices.pointsOf = pointsOf;
    }
    expect(found.reduce((sum, n) => sum + n)).toBe(30_000);
    expect(Math.max(...found)).toBeLessThanOrEqual(10_000);
  });

  it('notifies the requested email address and callback URL', async () => {
    const email = `${uniqueName()}@example.com`;
    const { body } = await ask({ email, callbackUrl: `${receiver.origin}/hook` });
    await waitForOutcome(test, body.jobId);
    await waitUntil(async () => receiver.told(body.jobId).length > 0);
    const [told] = receiver.told(body.jobId);
    expect(told).toMatchObject({
      type: 'device.export',
      data: { jobId: body.jobId, applicationId: application.id, status: 'completed' },
    });
    const link = await mailedLink(test, email);
    expect(told.data.url).toBe(link);
    const left = Date.parse(told.data.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(23.9 * 3_600_000);
    expect(left).toBeLessThanOrEqual(24 * 3_600_000);
    expect(await mailsTo(test, user.email)).toEqual([]);
  });

  it('sends one notification if its job runs twice', async () => {
    const email = `${uniqueName()}@example.com`;
    const task: DataExport = {
      operation: 'device.export',
      title: 'It',
      devices: { applicationId: application.id, selection: { deviceIds: [device.id] } },
      span: { start: DAY, end: DAY + 1 },
      options: { includeID: true, includeDate: true, includeBlobData: false },
      layout: 'device',
      listeners: { email, callbackUrl: receiver.origin },
    };
    const job = contextOf(uniqueName('job'));
    await test.app.get(DataExportJob).run(task, job);
    await test.app.get(DataExportJob).run(task, job);
    await waitUntil(async () => receiver.told(job.id).length > 0 && (await waiting()) === 0);
    expect(receiver.told(job.id)).toHaveLength(1);
    expect(await mailsTo(test, email)).toHaveLength(1);
  });

  it('reports a permanent failure at once, and any other failure after the last attempt', async () => {
    const task = (deviceId: string, email: string): DataExport => ({
      operation: 'device.export',
      title: 'It',
      devices: { applicationId: application.id, selection: { deviceIds: [deviceId] } },
      span: { start: DAY, end: DAY + 1 },
      options: { includeID: true, includeDate: true, includeBlobData: false },
      layout: 'device',
      listeners: { email, callbackUrl: receiver.origin },
    });
    const job = contextOf(uniqueName('job'));
    const gone = `${uniqueName()}@example.com`;
    await expect(test.app.get(DataExportJob).run(task(newId(), gone), job)).rejects.toThrow(
      'Device was not found',
    );
    await waitUntil(async () => receiver.told(job.id).length > 0);
    expect(receiver.told(job.id)[0].data).toMatchObject({
      status: 'failed',
      error: { type: 'NotFound', message: 'Device was not found' },
    });
    expect((await mailsTo(test, gone))[0]).toMatchObject({ subject: 'It has failed' });

    const stopped = AbortSignal.abort(new Error('stopped'));
    const failing = `${uniqueName()}@example.com`;
    const run = (isLastAttempt: boolean) =>
      test.app
        .get(DataExportJob)
        .run(task(device.id, failing), { ...contextOf(uniqueName('job'), stopped), isLastAttempt });
    await expect(run(false)).rejects.toThrow('stopped');
    expect(await mailsTo(test, failing)).toEqual([]);
    await expect(run(true)).rejects.toThrow('stopped');
    expect((await mailsTo(test, failing))[0]!.text).toContain('It failed unexpectedly and is not retried');
  });

  it('is deleted when its link expires', async () => {
    const { body } = await ask();
    await waitForOutcome(test, body.jobId);
    const key = `exports/${body.jobId}.csv`;
    await test.dataSource.manager.update(TemporaryBlob, { key }, { endsAt: new Date(0) });
    await test.app.get(TemporaryBlobs).removeSome();
    await expect(test.app.get<Blobs>(BLOBS).read(key)).rejects.toThrow(BlobMissing);
    expect((await download(test, await mailedLink(test, user.email))).status).toBe(404);
  });

  it('is limited to one per device in five minutes, across all callers', async () => {
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 429, 429]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body).toEqual({
      type: 'TooManyRequests',
      message: 'This was exported a moment ago, try again later',
    });
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(290);
    expect(seconds).toBeLessThanOrEqual(300);
    const jobs = await test.dataSource.manager.findBy(Job, {
      name: DATA_EXPORT.name,
      requestedById: user.id,
    });
    expect(jobs).toHaveLength(1);

    await test.dataSource.query(
      `UPDATE export_turns SET taken_at = now() - interval '5 minutes' WHERE subject_id = $1`,
      [device.id],
    );
    expect((await ask()).status).toBe(202);
    const other = await makeDevice();
    path = path.replace(device.id, other.id);
    expect((await ask()).status).toBe(202);
  });

  it.each<[object | undefined, string, string]>([
    [{ callbackUrl: 'https://10.0.0.1/' }, '', 'deviceDataExport.callbackUrl must be an https URL'],
    [{ callbackUrl: 'http://example.com/' }, '', 'deviceDataExport.callbackUrl must be an https URL'],
    [{ callbackUrl: 'nowhere' }, '', 'deviceDataExport.callbackUrl must be a URI'],
    [undefined, '?callbackUrl=https://[::1]/', 'deviceDataExport.callbackUrl must be an https URL'],
    [undefined, '?callbackUrl=nowhere', 'deviceDataExport.callbackUrl must be an https URL'],
    [undefined, '?email=a@b@c', 'deviceDataExport.email must be an email address'],
    [{ email: 'a, b@example.com' }, '', 'deviceDataExport.email must be an email address'],
    [{ start: 5, end: 5 }, '', 'deviceDataExport.end must be later than deviceDataExport.start'],
    [undefined, '?start=0&end=-1000', 'deviceDataExport.end must be later than deviceDataExport.start'],
    [undefined, '?start=yesterday', 'start must be an integer'],
    [undefined, '?includeBlobData=perhaps', 'includeBlobData must be'],
    [{ attributes: ['not a name'] }, '', 'deviceDataExport.attributes.0 must match'],
    [{ more: 1 }, '', 'deviceDataExport.more is not a property'],
    [null as unknown as object, '', 'deviceDataExport must be an object'],
  ])('returns 400 for %j%s', async (body, query, message) => {
    const answer = await ask(body, query);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('returns 404 for a device that does not exist, is deleted or belongs to another application', async () => {
    const other = await makeApplication(test, user.token);
    for (const at of [path.replace(device.id, newId()), path.replace(application.id, other.id)]) {
      path = at;
      expect([(await ask()).status, (await ask()).body.message]).toEqual([404, 'Device was not found']);
    }
  });

  it('requires the role collaborate and is recorded in the audit log', async () => {
    const { id: orgId } = await makeOrg(test, user.token);
    const owned = await makeApplication(test, user.token, { orgId });
    device = await makeDevice({}, owned);
    path = `/applications/${owned.id}/devices/${device.id}/export`;
    const viewer = await makeMember(test, orgId, 'view');
    const collaborator = await makeMember(test, orgId, 'collaborate');
    expect((await ask(undefined, '', viewer.token)).status).toBe(403);
    expect((await ask(undefined, '', collaborator.token)).status).toBe(202);
    const entries = await test.dataSource.query(
      `SELECT * FROM audit_logs WHERE org_id = $1 AND request_action = 'export'`,
      [orgId],
    );
    expect(entries).toEqual([
      expect.objectContaining({
        actor_id: collaborator.id,
        secondary_target_id: device.id,
        response_status: 202,
      }),
    ]);
  });
});

const contextOf = (id: string, signal = new AbortController().signal): JobContext => ({
  id,
  attempt: 1,
  isLastAttempt: false,
  signal,
  progress: async () => undefined,
  saveState: async () => undefined,
});

/** Counts the jobs that have not ended. */
const waiting = () => test.dataSource.manager.countBy(Job, [{ status: 'queued' }, { status: 'inProgress' }]);
