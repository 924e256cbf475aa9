import { parse } from 'csv-parse/sync';
import { CallbackReceiver } from '../../../../test/doubles/callback-receiver.js';
import { makeDevice } from '../../../../test/make/device-tokens.js';
import { download, waitForOutcome, mailedLink } from '../../../../test/make/exports.js';
import {
  makeApplication,
  makeInstance,
  makeInstanceMember,
  makeOrg,
  makeUser,
  tokenOf,
  uniqueName,
} from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { InstanceAuditLog } from '../audit-logs/audit-log.resource.js';
import { DAY_MS } from '../../devices/usage/usage-window.js';

const receiver = new CallbackReceiver();
const env: Record<string, string> = {};
beforeAll(async () => {
  env.CALLBACK_ORIGINS = await receiver.start();
});
afterAll(() => receiver.stop());
const { test } = suite(env, { retries: false });

let instance: { id: string };
let admin: { id: string; email: string; token: string };
let org: any;
let application: any;

beforeEach(async () => {
  instance = await makeInstance(test);
  admin = await makeInstanceMember(test, 'admin', { instanceId: instance.id });
  org = await makeOrg(test, admin.token, { name: '=North' });
  application = await makeApplication(test, admin.token, { orgId: org.id, name: 'Pumps' });
});

const generate = (body?: object, token = admin.token) =>
  test.client.request('POST', `/instances/${instance.id}/generateReport`, { token, body });
const count = (type: string, n: number, bytes: number, day: Date) =>
  test.dataSource.query(
    `INSERT INTO payload_deltas (application_id, owner_id, time, type, channel, n, bytes)
     VALUES ($1, $2, $3, $4, 'device.rest', $5, $6)`,
    [application.id, org.id, day, type, n, bytes],
  );
async function reported(body?: object): Promise<Record<string, string>[]> {
  const { status, body: answer } = await generate(body);
  expect([status, answer.success, answer.jobQueued]).toEqual([202, true, true]);
  expect((await waitForOutcome(test, answer.jobId)).status).toBe('completed');
  const file = await download(test, await mailedLink(test, admin.email));
  return parse(await file.text(), { columns: true });
}

describe('Usage report of an instance', () => {
  it('has a line for each organization and month, and is emailed to the calling user', async () => {
    await makeDevice(test, admin.token, application.id);
    await count('webhook', 3, 300, new Date());
    const lines = await reported();
    expect(lines).toEqual([
      {
        Period: new Date().toISOString().slice(0, 7),
        Type: 'organization',
        ID: org.id,
        Name: "'=North",
        'Owner Type': 'organization',
        'Owner ID': org.id,
        'Owner Name': "'=North",
        'Billable Payloads': '3',
        'Billable Payload Bytes': '300',
        'Non-Billable Payloads': '1',
        'Non-Billable Payload Bytes': expect.stringMatching(/^\d+$/),
        'Devices Created': '1',
        'Devices Deleted': '0',
        Devices: '1',
        'Notebook Minutes': '0',
      },
    ]);
  });

  it('has a line for each application and day, optionally including those of users', async () => {
    const sandbox = await makeApplication(test, admin.token);
    const yesterday = new Date(Date.now() - DAY_MS);
    await count('webhook', 1, 10, yesterday);
    const asked = { dateGroupBy: 'day', resourceGroupBy: 'application', start: yesterday.toISOString() };
    const lines = await reported({ ...asked, includeSandbox: true });
    expect(
      lines.map(({ Period, ID, ...line }) => [Period, ID, line['Owner Type'], line['Billable Payloads']]),
    ).toEqual(
      [
        [yesterday, application.id, 'organization', '1'],
        [new Date(), application.id, 'organization', '0'],
        [yesterday, sandbox.id, 'user', '0'],
        [new Date(), sandbox.id, 'user', '0'],
      ].map(([day, ...rest]) => [(day as Date).toISOString().slice(0, 10), ...rest]),
    );
  });

  it('omits resources owned by users by default, and otherwise has a line for each user', async () => {
    await makeApplication(test, admin.token);
    const { jobId } = (await generate({ email: 'a@example.com', resourceGroupBy: 'application' })).body;
    expect((await waitForOutcome(test, jobId)).status).toBe('completed');
    const lines = await reported({ includeSandbox: true });
    expect(lines.map(({ Type, ID }) => [Type, ID])).toEqual([
      ['organization', org.id],
      ['user', admin.id],
    ]);
  });

  it('notifies a callback, and is recorded in the log of the instance', async () => {
    const callbackUrl = `${receiver.origin}/usage`;
    const { body } = await generate({ callbackUrl });
    await waitUntil(async () => receiver.told(body.jobId).length > 0);
    const [told] = receiver.told(body.jobId);
    expect(told).toMatchObject({
      type: 'instance.generateReport',
      data: { instanceId: instance.id, status: 'completed', url: expect.any(String) },
    });
    expect(told.data.applicationId).toBeUndefined();
    const entries = await test.dataSource.manager.findBy(InstanceAuditLog, { instanceId: instance.id });
    expect(entries.map(({ requestAction }) => requestAction)).toContain('generateReport');
  });

  it.each([
    [{ start: 'yesterday' }, /instanceReportOptionsPost.start/],
    [{ start: '2001-01-01T00:00:00.000Z' }, 'start must be in the last 400 days'],
    [{ end: '2001-01-01T00:00:00.000Z' }, 'start must be before end, and not in the future'],
    [{ dateGroupBy: 'year' }, /instanceReportOptionsPost.dateGroupBy/],
    [{ callbackUrl: 'http://localhost/' }, /callbackUrl must be an https URL/],
    [{ colour: 'red' }, /colour/],
  ])('is rejected with 400 for %j', async (body, message) => {
    const answer = await generate(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  it('is restricted to admins of the instance', async () => {
    const viewer = await makeInstanceMember(test, 'view', { instanceId: instance.id });
    const stranger = await makeUser(test);
    expect((await generate({}, viewer.token)).status).toBe(403);
    expect((await generate({}, stranger.token)).status).toBe(404);
    expect((await generate({}, tokenOf(test, admin.id, ['instance.get']))).status).toBe(403);
    expect((await test.client.post(`/instances/${instance.id}/generateReport`, {})).status).toBe(401);
  });

  it('is limited to ten per hour', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++)
      statuses.push((await generate({ email: `${uniqueName()}@example.com` })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 202), 429]);
  });
});
