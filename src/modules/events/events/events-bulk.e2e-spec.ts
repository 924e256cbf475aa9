import { CallbackReceiver } from '../../../../test/doubles/callback-receiver.js';
import { Killed, makeHeldJob, nextAttempt } from '../../../../test/make/job-attempts.js';
import { download, waitForOutcome, mailedLink } from '../../../../test/make/exports.js';
import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication, makeOrg, makeUser } from '../../../../test/make/make.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import type { AuthorSnapshot } from '../../../platform/audit/author.js';
import { Job } from '../../../platform/jobs/job.entity.js';
import { newId } from '../../../platform/repositories/resource.js';
import { EventSelectionRepository } from './event-selection.repository.js';
import { EventBulkJobs, type EventBulkJob } from './event-bulk.jobs.js';

const receiver = new CallbackReceiver();
const env: Record<string, string> = { EXPORT_INTERVAL: '300' };
beforeAll(async () => {
  env.CALLBACK_ORIGINS = await receiver.start();
});
afterAll(() => receiver.stop());
const { test, user, application } = suite(env, { retries: false });
let path: string;

beforeEach(() => {
  path = `/applications/${application.id}/events`;
});

const token = () => ({ token: user.token });
const made = async (body: object = {}) =>
  (await test.client.post(path, { level: 'info', subject: 'Pump', ...body }, token())).body;
const get = async (id: string) => (await test.client.get(`${path}/${id}`, token())).body;
const count = async (query = '') => (await test.client.get(path + query, token())).body.totalCount;
const patch = (query: string, body: object) => test.client.patch(path + query, body, token());
const remove = (body?: object, query = '') => test.client.post(`${path}/delete${query}`, body, token());
const asked = (query: object) => `?query=${encodeURIComponent(JSON.stringify(query))}`;
const told = async (jobId: string) => {
  await waitUntil(() => Promise.resolve(receiver.told(jobId).length > 0));
  return receiver.told(jobId)[0];
};

/**
 * Inserts more events than one transaction processes, with numbers as subjects. Some IDs are those of a process whose
 * clock is ahead.
 */
const fill = (n: number, state = 'new') =>
  test.dataSource.query(
    `INSERT INTO events (id, application_id, creation_date, last_updated, level, state, subject, event_tags,
       disable_tag_change_tracking, source_type, source_id)
     SELECT CASE n % 3 WHEN 0 THEN 'ff' ELSE '00' END || substr(md5($1 || n), 1, 22), $1, now(), now(), 'info', $3, n::text, '{}', false, 'user', $1
     FROM generate_series(1, $2::int) n`,
    [application.id, n, state],
  );

describe('Bulk operations on events', () => {
  it('update only the events that match filter and state', async () => {
    const [pump, valve, done] = [
      await made(),
      await made({ subject: 'Valve' }),
      await made({ state: 'resolved' }),
    ];
    const answer = await patch('?filterField=subject&filter=PU*&state=new', {
      state: 'acknowledged',
      comment: 'a',
    });
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect((await get(pump.id)).updates).toMatchObject([
      { comment: 'a', sourceId: user.id, stateChange: { old: 'new', new: 'acknowledged' } },
    ]);
    for (const { id } of [valve, done]) expect((await get(id)).updates).toEqual([]);
  });

  it('update the events that match a query, which overrides filter and state, or all events', async () => {
    const [pump, valve] = [await made({ eventTags: { a: 'b' } }), await made({ subject: 'Valve' })];
    await patch(`${asked({ eventTags: { a: 'b' } })}&filter=x&state=resolved`, { level: 'error' });
    expect([(await get(pump.id)).level, (await get(valve.id)).level]).toEqual(['error', 'info']);
    await patch('', { subject: 'Both' });
    expect(await count('?filter=both')).toBe(2);
  });

  it('update many events in a job, each once, excluding events created later', async () => {
    const flow = await makeFlow(test, user.token, application.id, {
      triggers: [{ type: 'event', key: 'any', config: {}, outputIds: [] }],
    });
    await fill(230);
    const callbackUrl = encodeURIComponent(`${receiver.origin}/patched`);
    const { status, body } = await patch(`?state=new&callbackUrl=${callbackUrl}`, { state: 'resolved' });
    expect([status, body]).toEqual([202, { success: true, jobQueued: true, jobId: expect.any(String) }]);
    const later = await made();
    expect((await told(body.jobId)).data).toMatchObject({ status: 'completed', done: 230 });
    expect([await count('?state=resolved'), await count('?state=new')]).toEqual([230, 1]);
    expect((await get(later.id)).updates).toEqual([]);
    expect(await requestedRuns(test, { flowId: flow.id })).toHaveLength(231);
    // Retried, the job skips the events that it has updated.
    const { payload } = await test.dataSource.manager.findOneByOrFail(Job, { id: body.jobId });
    const { events, ...rest } = payload as EventBulkJob;
    const { signal } = new AbortController();
    const again = {
      id: body.jobId,
      attempt: 2,
      isLastAttempt: false,
      signal,
      progress: () => Promise.resolve(),
      saveState: () => Promise.resolve(),
    };
    await test.app
      .get(EventBulkJobs)
      .run({ ...rest, events: { ...events, selection: { filter: '1*' } } }, again);
    const [twice] = await test.dataSource.query(
      'SELECT count(*)::int AS n FROM event_updates u JOIN events e ON e.id = u.event_id WHERE e.application_id = $1',
      [application.id],
    );
    expect(twice.n).toBe(230);
  });

  it('process each existing event once, regardless of the order in which IDs are created', async () => {
    const selected = test.app.get(EventSelectionRepository);
    const insert = `INSERT INTO events (id, application_id, creation_date, last_updated, level, state, subject, event_tags,
        disable_tag_change_tracking, source_type, source_id)
      VALUES ($2, $1, clock_timestamp(), now(), 'info', 'new', 'x', '{}', false, 'user', $1)`;
    const add = (
      id: string,
      runner: { query(text: string, values: unknown[]): Promise<unknown> } = test.dataSource,
    ) => runner.query(insert, [application.id, id]);
    const second = newId().slice(0, 8);
    const other = test.dataSource.createQueryRunner();
    try {
      await other.startTransaction();
      await add(second.padEnd(24, '1'), other);
      const there = [second.padEnd(24, '0'), second.padEnd(24, 'f')];
      for (const id of there) await add(id);
      const bound = await selected.bound(application.id);
      await other.commitTransaction();
      await test.dataSource.query('SELECT pg_sleep(0.002)');
      const later = [second.padEnd(24, '2'), `f${second.padEnd(23, 'f')}`];
      for (const id of later) await add(id);
      const { ids } = await selected.window({ applicationId: application.id, selection: {}, ...bound }, '');
      expect(ids.filter((id) => id !== second.padEnd(24, '1'))).toEqual(there);
      expect(new Set(ids).size).toBe(ids.length);
    } finally {
      await other.release();
    }
  });

  it.each([
    ['updated', { patch: { state: 'resolved' }, source: { sourceType: 'user', sourceId: '' } }, 'written'],
    ['deleted', undefined, 'removed'],
  ] as const)(
    'report all %s events, each once, when the worker of the job was killed',
    async (_, change, word) => {
      await fill(350);
      const id = await makeHeldJob(test, 'events.bulk');
      const bound = await test.app.get(EventSelectionRepository).bound(application.id);
      const by: AuthorSnapshot = { id: user.id, type: 'user', facts: {} };
      const events = { applicationId: application.id, selection: {}, ...bound };
      const payload: EventBulkJob = { events, change, by, listeners: {} };
      const jobs = test.app.get(EventBulkJobs);
      const killedAt = (last: number) => (times: number) => {
        if (times === last) throw new Killed();
      };
      await expect(jobs.run(payload, await nextAttempt(test, id, killedAt(2)))).rejects.toThrow(Killed);
      const lost = await nextAttempt(test, id);
      // Another worker has claimed the job, so this attempt must change nothing.
      const next = await nextAttempt(test, id, killedAt(3));
      await expect(jobs.run(payload, lost)).rejects.toThrow(Killed);
      await expect(jobs.run(payload, next)).rejects.toThrow(Killed);
      expect(await jobs.run(payload, await nextAttempt(test, id))).toEqual({ [word]: 350 });
      expect(await count('?state=new')).toBe(0);
    },
  );

  it('delete the events that match a query, with their updates', async () => {
    const pump = await made();
    await patch('', { comment: 'a' });
    await made({ subject: 'Valve' });
    const { status, body } = await remove({ subject: 'Pump' });
    expect([status, body]).toEqual([200, { removed: 1 }]);
    expect(await count()).toBe(1);
    expect(await test.dataSource.query('SELECT 1 FROM event_updates WHERE event_id = $1', [pump.id])).toEqual(
      [],
    );
    expect((await remove()).body).toEqual({ removed: 1 });
    expect((await remove({})).body).toEqual({ removed: 0 });
  });

  it('delete many events in a job', async () => {
    await fill(150);
    const { status, body } = await remove(
      { state: 'new' },
      `?callbackUrl=${encodeURIComponent(`${receiver.origin}/gone`)}`,
    );
    expect(status).toBe(202);
    expect((await told(body.jobId)).data).toMatchObject({ status: 'completed', done: 150 });
    expect(await count()).toBe(0);
  });

  it('write an audit log entry for each event', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    path = `/applications/${id}/events`;
    for (const subject of ['a', 'b']) await made({ subject });
    await patch('', { state: 'resolved' });
    await remove({});
    const { items } = (await test.client.get(`/orgs/${org.id}/audit-logs?perPage=4`, token())).body;
    const named = items.map((entry: any) => `${entry.requestAction} ${entry.secondaryTargetName}`).sort();
    expect(named).toEqual(['delete a', 'delete b', 'patch a', 'patch b']);
  });

  it.each([
    [asked({ levle: 'info' }), {}, 'query.levle is not an attribute that can be queried'],
    ['?state=open', {}, 'state must be one of new, acknowledged, resolved'],
    ['', { deviceId: newId() }, 'updates.deviceId is not a device of the application'],
    ['', { eventTags: { '': 'a' } }, 'updates.eventTags must have keys of 1 to 255 letters, digits, _ and -'],
  ])('reject updates with %s and %j', async (query, body, message) => {
    expect((await patch(query, body)).body).toEqual({ type: 'Validation', message });
  });

  it('reject a deletion with an invalid query', async () => {
    expect((await remove({ level: { $gt: 1 } })).status).toBe(400);
    expect((await remove({ levle: 'info' })).status).toBe(400);
  });
});

describe('An export of events', () => {
  const exported = async (body: object) => {
    const { status, body: answer } = await test.client.post(`${path}/export`, body, token());
    expect(status).toBe(202);
    await waitForOutcome(test, answer.jobId);
    return (await download(test, await mailedLink(test, (body as { email: string }).email))).text();
  };
  const mailbox = () => `events-${newId()}@example.com`;

  it('is a CSV file with structured values as JSON', async () => {
    await made({ subject: 'Valve' });
    const event = await made({
      subject: '=Pump',
      message: 'a,b',
      data: { a: 1 },
      eventTags: { site: 'north' },
    });
    const { updates } = (await test.client.patch(`${path}/${event.id}`, { comment: 'c' }, token())).body;
    const text = await exported({ email: mailbox(), query: { eventTags: { site: 'north' } } });
    const [head, line, end] = text.split('\r\n');
    expect(head).toBe(
      'id,creationDate,lastUpdated,level,state,subject,message,deviceId,deviceName,sourceType,sourceId,sourceName,eventTags,data,updates',
    );
    const quoted = (value: unknown) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
    const cells =
      `${event.id},"${event.creationDate}","${updates[0].creationDate}",info,new,'=Pump,"a,b",,,user,${user.id},` +
      `${user.email},${quoted({ site: 'north' })},${quoted({ a: 1 })},`;
    expect(line!.slice(0, cells.length)).toBe(cells);
    const last = line!.slice(cells.length + 1, -1).replaceAll('""', '"');
    expect(JSON.parse(last)).toEqual(updates);
    expect(end).toBe('');
  });

  it('is a JSON file and can exclude updates', async () => {
    const { updates: _updates, ...event } = await made();
    const body = { email: mailbox(), format: 'json', excludeUpdates: true };
    expect(JSON.parse(await exported(body))).toEqual([event]);
    expect((await test.client.post(`${path}/export`, body, token())).status).toBe(429);
  });

  it('contains all events, regardless of their number, with their updates', async () => {
    await fill(2_150, 'resolved');
    await test.dataSource.query(
      `INSERT INTO event_updates (event_id, number, content) SELECT e.id, n, jsonb_build_object('comment', e.subject)
       FROM events e, generate_series(1, 60) n WHERE e.application_id = $1 AND e.subject IN ('1', '2', '3')`,
      [application.id],
    );
    await test.dataSource.query(
      `UPDATE events SET update_count = 60 WHERE application_id = $1 AND subject IN ('1', '2', '3')`,
      [application.id],
    );
    const found = JSON.parse(await exported({ email: mailbox(), format: 'json' }));
    expect(new Set(found.map(({ id }: any) => id)).size).toBe(2_150);
    const counts = found.filter(({ updates }: any) => updates.length > 0);
    expect(counts.map(({ subject, updates }: any) => [subject, updates.length]).sort()).toEqual([
      ['1', 60],
      ['2', 60],
      ['3', 60],
    ]);
  }, 60_000);

  it('is empty when no event matches and rejected when the query is invalid', async () => {
    expect(await exported({ email: mailbox(), format: 'json', query: { subject: 'x' } })).toBe('[]\n');
    const body = { query: { level: 'x' } };
    const { message } = (await test.client.post(`${path}/export`, body, token())).body;
    expect(message).toBe('exportData.query.level must be one of info, warning, error, critical');
    const stranger = await makeUser(test);
    expect((await test.client.post(`${path}/export`, {}, { token: stranger.token })).status).toBe(404);
  });
});
