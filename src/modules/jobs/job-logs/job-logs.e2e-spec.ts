import { holdEvent } from '../../../../test/contract/pushed.js';
import { EventReader } from '../../../../test/doubles/event-reader.js';
import { waitForOutcome } from '../../../../test/make/exports.js';
import { makeApplication, makeMember, makeOrg, tokenOf, uniqueName } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { AccessCache } from '../../../platform/access/access-cache.js';
import { JobHandlers } from '../../../platform/jobs/job-handlers.js';
import { jobLogId } from '../../../platform/jobs/job-log-id.js';
import { Job } from '../../../platform/jobs/job.entity.js';
import type { JobContext } from '../../../platform/jobs/on-job.js';
import { newId } from '../../../platform/repositories/resource.js';
import { LIST_EXPORT } from '../../devices/device-exports/list-export.job.js';

const { test, user, application } = suite({ EXPORT_INTERVAL: '0' });
const open: EventReader[] = [];
let restore: (() => void) | undefined;
let path: string;

beforeEach(() => {
  path = `/applications/${application.id}/jobLogs`;
});
afterEach(() => {
  restore?.();
  restore = undefined;
  for (const reader of open.splice(0)) reader.close();
});

const get = (at: string, token = user.token) => test.client.get(at, { token });
const devicesOf = (id = application.id) => `/applications/${id}/devices`;

/** Exports the devices of the application, and returns the job ID and the URL of its log. */
async function exportDevices(more: object = {}): Promise<{ jobId: string; location: string }> {
  const body = { email: `${uniqueName()}@example.com`, ...more };
  const { status, body: answer, headers } = await test.client.post(`${devicesOf()}/export`, body, user);
  expect(status).toBe(202);
  return { jobId: answer.jobId, location: headers.get('location')! };
}

/** Inserts job rows with SQL, and returns their log IDs in the given order. */
async function insertJobs(...rows: Partial<Job>[]): Promise<string[]> {
  const now = new Date();
  return Promise.all(
    rows.map(async (row, n) => {
      const logId = newId();
      await test.dataSource.manager.insert(Job, {
        id: uniqueName(`job-${n}`),
        name: 'data.export',
        payload: { secret: 'of the payload' },
        dueAt: new Date(now.getTime() + 3_600_000),
        creationDate: new Date(now.getTime() + n),
        lastUpdated: now,
        applicationId: application.id,
        operation: 'data.export',
        resourceType: 'device',
        logId,
        // Listing failed jobs across applications depends on this value.
        completedAt: row.status === 'failed' ? now : null,
        ...row,
      });
      return logId;
    }),
  );
}

describe('A job', () => {
  it('is found at the Location of the accepting response, with its parameters and without secrets', async () => {
    const callbackUrl = 'https://example.com/hooks/secret-1?token=secret-2';
    const { jobId, location } = await exportDevices({ email: 'ada@example.com', callbackUrl });
    expect(location).toBe(`${path}/${jobLogId(jobId)}`);
    await waitForOutcome(test, jobId);
    const { status, body } = await get(location);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: jobLogId(jobId),
      jobId: jobLogId(jobId),
      applicationId: application.id,
      ownerId: application.id,
      ownerType: 'application',
      name: 'devices.export',
      status: 'completed',
      resourceType: 'device',
      requestedById: user.id,
      requestedByType: 'user',
      input: { emails: ['ada@example.com'], callbackUrl: 'https://example.com/' },
      runQueuedAt: expect.any(String),
      runStartedAt: expect.any(String),
      runCompletedAt: expect.any(String),
    });
    expect(body).not.toHaveProperty('payload');
  });

  it('includes its results', async () => {
    for (const name of ['a', 'b', 'c']) await test.client.post(devicesOf(), { name }, user);
    const body = { query: { name: { $in: ['a', 'b'] } }, forceJob: true };
    const { body: answer, headers } = await test.client.post(`${devicesOf()}/delete`, body, user);
    await waitForOutcome(test, answer.jobId);
    expect((await get(headers.get('location')!)).body).toMatchObject({
      name: 'devices.delete',
      status: 'completed',
      progress: { completed: 2, total: 2 },
      output: { removed: 2, failed: 0 },
    });
  });

  it('includes only documented properties of the worker’s records', async () => {
    const [id] = await insertJobs({
      status: 'failed',
      error: { name: 'Error', message: 'The job failed unexpectedly' },
      result: { created: 3, secret: 'of the result', url: 'https://example.com/signed' },
      progress: { completed: 1, total: 2, status: 'half', secret: 'of the progress' },
      resourceId: application.id,
    });
    const { body } = await get(`${path}/${id}`);
    expect(body).toMatchObject({
      status: 'failed',
      error: { name: 'Error', message: 'The job failed unexpectedly' },
      output: { created: 3 },
      progress: { completed: 1, total: 2, status: 'half' },
      resourceId: application.id,
      requestedByType: 'system',
    });
    expect(JSON.stringify(body)).not.toMatch(/secret|signed/);
  });

  it('belongs to its application only, and is deleted with it', async () => {
    const [id] = await insertJobs({});
    const elsewhere = await makeApplication(test, user.token);
    for (const at of [`/applications/${elsewhere.id}/jobLogs/${id}`, `${path}/${newId()}`])
      expect(await get(at)).toMatchObject({
        status: 404,
        body: { type: 'NotFound', message: 'Job was not found' },
      });
    expect((await get(`${path}/no-id`)).status).toBe(400);
    await test.client.delete(`/applications/${application.id}`, user);
    await waitUntil(
      async () => !(await test.dataSource.manager.existsBy(Job, { applicationId: application.id })),
    );
  });

  it('that was not requested by a client is not in any log', async () => {
    const device = await test.client.post(
      devicesOf(),
      { name: 'a', attributes: [{ name: 'n', dataType: 'number' }] },
      user,
    );
    await test.client.delete(`${devicesOf()}/${device.body.id}/attributes/n`, user);
    expect((await get(path)).body).toMatchObject({ items: [], totalCount: 0 });
  });
});

describe('The jobs of an application', () => {
  it.each([
    ['runQueuedAt', 'asc', [0, 1, 2]],
    ['runQueuedAt', 'desc', [2, 1, 0]],
    ['name', 'asc', [1, 2, 0]],
    ['status', 'asc', [2, 0, 1]],
    ['resourceType', 'desc', [1, 0, 2]],
    ['runStartedAt', 'asc', [2, 0, 1]],
    ['runCompletedAt', 'asc', [2, 0, 1]],
  ])('are listed by %s, %s', async (sortField, sortDirection, order) => {
    const at = (ms: number) => new Date(1_795_000_000_000 + ms);
    const ids = await insertJobs(
      {
        operation: 'events.patch',
        status: 'failed',
        resourceType: 'event',
        startedAt: at(2),
        completedAt: at(9),
      },
      { operation: 'a.run', status: 'queued', resourceType: 'notebook' },
      {
        operation: 'data.export',
        status: 'completed',
        resourceType: 'device',
        startedAt: at(1),
        completedAt: at(3),
      },
    );
    const query = `sortField=${sortField}&sortDirection=${sortDirection}`;
    const { body } = await get(`${path}?${query}&perPage=2`);
    const rest = await get(`${path}?${query}&perPage=2&page=1`);
    const found = [...body.items, ...rest.body.items].map(({ id }: { id: string }) => ids.indexOf(id));
    expect(found).toEqual(order);
    expect(body).toMatchObject({
      count: 2,
      totalCount: 3,
      page: 0,
      perPage: 2,
      sortField,
      sortDirection,
      applicationId: application.id,
    });
  });

  it('can be found with an advanced query', async () => {
    const [first, second] = await insertJobs(
      { status: 'failed', resourceId: application.id },
      { status: 'inProgress', operation: 'events.patch' },
    );
    const find = async (query: object) => {
      const { body } = await get(`${path}?query=${encodeURIComponent(JSON.stringify(query))}`);
      expect(body.query).toEqual(query);
      return body.items.map(({ id }: { id: string }) => id);
    };
    expect(await find({ status: { $in: ['queued', 'inProgress'] } })).toEqual([second]);
    expect(await find({ resourceId: application.id })).toEqual([first]);
    expect(await find({ name: { $startsWith: 'events' } })).toEqual([second]);
    expect(await find({ id: first })).toEqual([first]);
    expect(await find({ runQueuedAt: { $lt: '2020-01-01' } })).toEqual([]);
    expect(await find({ runStartedAt: null, $nor: [{ id: second }] })).toEqual([first]);
  });

  it.each(['query={"payload":1}', 'query={"status":1}', 'sortField=payload', 'perPage=0'])(
    'cannot be listed with %s',
    async (query) => {
      expect((await get(`${path}?${query}`)).status).toBe(400);
    },
  );

  it('require the role view and a scope for reading them', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    const statuses = await Promise.all(
      (['none', 'view'] as const).map(async (role) => {
        const { token } = await makeMember(test, org.id, role);
        return (await get(`/applications/${id}/jobLogs`, token)).status;
      }),
    );
    expect(statuses).toEqual([404, 200]);
    const scopes = ['applicationJobLogs.get', 'all.User.read', 'applicationJobLog.*', 'devices.get'];
    const scoped = scopes.map((scope) => get(path, tokenOf(test, user.id, [scope])));
    expect((await Promise.all(scoped)).map(({ status }) => status)).toEqual([200, 200, 403, 403]);
    expect((await test.client.get(path)).status).toBe(401);
  });
});

describe('A stream of a job', () => {
  async function follow(location: string, token = user.token): Promise<EventReader> {
    const reader = await EventReader.open(test.client.url + location, token);
    open.push(reader);
    return reader;
  }

  /** Replaces the export of device lists with one that waits; resolves with the attempt once it has started. */
  function heldExport(): { began: Promise<JobContext>; release: (result: object) => void } {
    const handlers = test.app.get(JobHandlers, { strict: false });
    const find = handlers.find.bind(handlers);
    let release!: (result: object) => void;
    const released = new Promise<object>((resolve) => (release = resolve));
    const began = new Promise<JobContext>((resolve) => {
      const handle = (_: object, job: JobContext) => (resolve(job), released);
      const held = { definition: LIST_EXPORT, handle };
      const mock = jest
        .spyOn(handlers, 'find')
        .mockImplementation((name) => (name === LIST_EXPORT.name ? held : find(name)));
      restore = () => mock.mockRestore();
    });
    return { began, release };
  }

  it('sends the state after each change, and ends with the job', async () => {
    const { began, release } = heldExport();
    const { location } = await exportDevices();
    const job = await began;
    const reader = await follow(location);
    expect([reader.status, reader.response.headers['content-type']]).toEqual([200, 'text/event-stream']);
    const [first] = await reader.reads(1);
    expect(first).toMatchObject({ event: 'job', data: { status: 'inProgress', name: 'devices.export' } });
    await job.progress({ completed: 1, total: 2, status: 'devices exported' });
    await waitUntil(async () => reader.events.at(-1)!.data.progress?.completed === 1);
    release({ written: 2 });
    await reader.ends();
    expect(reader.events.at(-1)!.data).toEqual((await get(location)).body);
    expect(reader.events.at(-1)!.data).toMatchObject({ status: 'completed', output: { written: 2 } });
    reader.events.forEach((event) => holdEvent('applicationJobLog.get', event));
    expect(reader.response.complete).toBe(true);
  });

  it('of a job that has ended sends only its final state', async () => {
    const [id] = await insertJobs({ status: 'completed', completedAt: new Date() });
    const reader = await follow(`${path}/${id}`);
    await reader.ends();
    expect(reader.events.map(({ data }) => data.status)).toEqual(['completed']);
  });

  it('sends changes at the next poll if no message announced them', async () => {
    const [id] = await insertJobs({ status: 'queued' });
    const reader = await follow(`${path}/${id}`);
    await reader.reads(1);
    await test.dataSource.manager.update(Job, { logId: id }, { status: 'failed', completedAt: new Date() });
    await test.app.get(AccessCache).evict(user.id);
    await reader.ends();
    expect(reader.events.map(({ data }) => data.status)).toEqual(['queued', 'failed']);
  });

  it('ends when the job is deleted', async () => {
    const [id] = await insertJobs({ status: 'queued' });
    const reader = await follow(`${path}/${id}`);
    await reader.reads(1);
    await test.dataSource.manager.delete(Job, { logId: id });
    await test.app.get(AccessCache).evict(user.id);
    await reader.ends();
  });

  it('requires access to the job, and is available for jobs only', async () => {
    const [id] = await insertJobs({});
    expect((await follow(`${path}/${newId()}`)).status).toBe(404);
    expect((await follow(`${path}/${id}`, tokenOf(test, user.id, ['devices.get']))).status).toBe(403);
  });
});
