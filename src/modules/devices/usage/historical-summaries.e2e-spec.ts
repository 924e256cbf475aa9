import {
  makeApplication,
  makeInstance,
  makeInstanceMember,
  makeOrg,
  makeUser,
  tokenOf,
} from '../../../../test/make/make.js';
import { makeDevice } from '../../../../test/make/device-tokens.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { HistoricalSummariesRecorder } from './historical-summaries-recorder.js';
import { periodEnd, periodStart } from './usage-window.js';

const { test } = suite();

let instance: { id: string };
let admin: { id: string; token: string };
let org: any;
let application: any;
let sandbox: any;

beforeEach(async () => {
  instance = await makeInstance(test);
  admin = await makeInstanceMember(test, 'admin', { instanceId: instance.id });
  org = await makeOrg(test, admin.token, { name: 'North' });
  application = await makeApplication(test, admin.token, { orgId: org.id });
  sandbox = await makeApplication(test, admin.token);
});

const list = (query = '', token = admin.token) =>
  test.client.get(`/instances/${instance.id}/historicalSummaries${query}`, { token });
const itemOf = ({ body }: { body: any }, id: string) =>
  body.items.find(({ resourceId }: { resourceId: string }) => resourceId === id);
/** Workers run this on their own, within the first days of a month. */
const keep = (now: Date) => test.app.get(HistoricalSummariesRecorder, { strict: false }).record(now);
const count = (type: string, n: number, bytes: number) =>
  test.dataSource.query(
    `INSERT INTO payload_deltas (application_id, owner_id, time, type, channel, n, bytes)
     VALUES ($1, $2, now(), $3, 'device.rest', $4, $5)`,
    [application.id, org.id, type, n, bytes],
  );

describe('Summaries of the current month', () => {
  it('cover the applications, the organizations and the instance, sorted by ID', async () => {
    const answer = await list();
    const ids = [instance.id, org.id, application.id, sandbox.id];
    expect(answer.body).toMatchObject({
      count: 4,
      totalCount: 4,
      page: 0,
      perPage: 100,
      sortField: 'currentPeriodStart',
      sortDirection: 'asc',
    });
    expect(answer.body.items.map(({ resourceId }: any) => resourceId)).toEqual([...ids].sort());
    const start = periodStart(new Date());
    expect(itemOf(answer, application.id)).toMatchObject({
      resourceType: 'application',
      resourceName: application.name,
      ownerId: org.id,
      ownerType: 'organization',
      ownerName: 'North',
      currentPeriodStart: start.toISOString(),
      currentPeriodEnd: periodEnd(start).toISOString(),
    });
    expect(itemOf(answer, org.id)).toMatchObject({ resourceType: 'organization', ownerId: org.id });
    expect(itemOf(answer, sandbox.id)).toMatchObject({ ownerType: 'user', ownerId: admin.id });
    expect(itemOf(answer, instance.id)).toMatchObject({ resourceType: 'whitelabel', userCount: 1 });
  });

  it('contain current counts and the payloads of the month', async () => {
    await makeDevice(test, admin.token, application.id);
    await count('webhook', 3, 2 * 1_048_576);
    const answer = await list();
    const used = {
      deviceCount: 1,
      payloadBillableCount: 3,
      payloadBillableSizeMb: 2,
      payloadNonbillableCount: 1,
      payloadCountDetails: { webhook: { 'device.rest': 3 }, deviceCreate: { 'user.rest': 1 } },
    };
    expect(itemOf(answer, application.id)).toMatchObject(used);
    expect(itemOf(answer, org.id)).toMatchObject({ ...used, applicationCount: 1, userCount: 1 });
    expect(itemOf(answer, instance.id)).toMatchObject(used);
    expect(itemOf(answer, application.id).applicationCount).toBeUndefined();
    expect(itemOf(answer, org.id).deviceCountProrated).toBeGreaterThan(0);
    expect(itemOf(answer, sandbox.id)).toMatchObject({ deviceCount: 0, payloadBillableCount: 0 });
  });

  it('contain the size of files of an application and of its owner', async () => {
    const fill = async (table: string, megabytes: number, status: string) =>
      test.dataSource.query(
        `INSERT INTO ${table} (id, creation_date, last_updated, application_id, parent_id, name, type, status, file_size, content_key)
         VALUES ($1, now(), now(), $2, '', $1, 'file', $3, $4, CASE WHEN $3 = 'completed' THEN $1 END)`,
        [newId(), application.id, status, megabytes * 1_048_576],
      );
    await fill('files', 3, 'completed');
    await fill('files', 0.5, 'completed');
    await fill('files', 7, 'pending');
    await fill('private_files', 2, 'completed');
    const answer = await list();
    const sizes = { fileCount: 3, fileTotalSizeMb: 3.5, privateFileTotalSizeMb: 2 };
    expect(itemOf(answer, application.id)).toMatchObject(sizes);
    expect(itemOf(answer, org.id)).toMatchObject(sizes);
    expect(itemOf(answer, sandbox.id)).toMatchObject({ fileTotalSizeMb: 0, privateFileTotalSizeMb: 0 });
  });

  it.each([
    ['filterField=resourceType&filter=application', () => [application.id, sandbox.id]],
    ['filterField=ownerType&filter=user', () => [sandbox.id]],
    ['filterField=resourceId&filter=NONE', () => []],
    ['sortField=resourceId&sortDirection=desc&perPage=1', () => [sandbox.id]],
    ['perPage=1&page=3', () => [sandbox.id]],
    ['month=0&perPage=1&page=3', () => undefined],
  ])('are found by %s', async (query, expected) => {
    const { status, body } = await list(`?${query}`);
    if (!expected()) return expect(status).toBe(400);
    expect(body.items.map(({ resourceId }: any) => resourceId)).toEqual(expected());
  });

  it.each([
    ['month=yesterday', 'month must be now, a month such as 2026-11, or a time in it'],
    ['month=2026-13', 'month must be now, a month such as 2026-11, or a time in it'],
    ['month=2999-01', 'month must not be in the future'],
    ['sortField=resourceName', /^sortField/],
  ])('are rejected for %s', async (query, message) => {
    const { status, body } = await list(`?${query}`);
    expect(status).toBe(400);
    expect(body.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  it('require access to the instance', async () => {
    const stranger = await makeUser(test);
    const viewer = await makeInstanceMember(test, 'view', { instanceId: instance.id });
    expect((await list('', viewer.token)).status).toBe(200);
    expect((await list('', stranger.token)).status).toBe(404);
    expect((await list('', tokenOf(test, admin.id, ['instance.historicalSummaries']))).status).toBe(200);
    expect((await list('', tokenOf(test, admin.id, ['instance.get']))).status).toBe(403);
    expect((await test.client.get(`/instances/${instance.id}/historicalSummaries`)).status).toBe(401);
  });
});

describe('Summaries of a past month', () => {
  const thisMonth = periodStart(new Date());
  const next = periodEnd(thisMonth);
  const asked = `?month=${new Date(thisMonth.getTime() - 1).toISOString().slice(0, 7)}`;
  /** Moves the stored month, as if it were the last one. */
  const monthAgo = () =>
    test.dataSource.query(
      'UPDATE historical_summaries SET current_period_start = $2 WHERE instance_id = $1',
      [instance.id, periodStart(new Date(thisMonth.getTime() - 1))],
    );

  it('are stored once, as they were at its end', async () => {
    await makeDevice(test, admin.token, application.id);
    await keep(new Date(next.getTime() + 1_000));
    await makeDevice(test, admin.token, application.id);
    await test.client.delete(`/applications/${sandbox.id}`, { token: admin.token });
    await keep(new Date(next.getTime() + 60_000));
    await monthAgo();
    const answer = await list(asked);
    expect(answer.body.totalCount).toBe(4);
    expect(itemOf(answer, application.id)).toMatchObject({ deviceCount: 1, ownerName: 'North' });
    expect(itemOf(answer, sandbox.id)).toMatchObject({ ownerType: 'user' });
    const { body } = await list(`${asked}&filterField=ownerType&filter=user`);
    expect(body.items.map(({ resourceId }: any) => resourceId)).toEqual([sandbox.id]);
  });

  it('are not stored if it ended too long ago', async () => {
    await keep(new Date(next.getTime() + 8 * 86_400_000));
    await monthAgo();
    expect((await list(asked)).body).toMatchObject({ items: [], totalCount: 0 });
  });
});
