import { parse } from 'csv-parse/sync';
import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication, makeOrg } from '../../../../test/make/make.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { Job } from '../../../platform/jobs/job.entity.js';
import { ApplicationKey } from '../../keys/application-keys/application-key.resource.js';
import { Device } from '../devices/device.resource.js';

const { test, user, application } = suite();
let path: string;
let devices: string;

beforeEach(() => {
  path = `/applications/${application.id}/device-recipes`;
  devices = `/applications/${application.id}/devices`;
});

const token = () => ({ token: user.token });
const create = (body: object) => test.client.post(path, body, token());
const made = async (body: object = { name: 'Pump' }) => (await create(body)).body;
const bulk = (id: string, body: object) => test.client.post(`${path}/${id}/bulkCreate`, body, token());
const rowsOf = (csv: string) => parse<Record<string, string>>(csv, { columns: true });
const listed = async () => (await test.client.get(`${devices}?perPage=1000`, token())).body;

describe('Device recipe', () => {
  it('is created, returned, updated and deleted', async () => {
    const { status, body: recipe } = await create({ name: 'Pump', gatewayId: 'A'.repeat(24) });
    expect(status).toBe(201);
    expect(recipe).toEqual({
      id: recipe.id,
      deviceRecipeId: recipe.id,
      applicationId: application.id,
      creationDate: expect.any(String),
      lastUpdated: recipe.creationDate,
      name: 'Pump',
      tags: [],
      attributes: [],
      deviceClass: 'standalone',
      gatewayId: 'a'.repeat(24),
      keepDuplicates: false,
    });
    const own = `${path}/${recipe.id}`;
    const attributes = [{ name: 'pressure', dataType: 'number' }];
    const { body: changed } = await test.client.patch(own, { gatewayId: null, attributes }, token());
    expect(changed.gatewayId).toBeUndefined();
    expect(changed.attributes).toEqual(attributes);
    expect((await test.client.get(own, token())).body).toEqual(changed);
    const { body: page } = await test.client.get(`${path}?filter=pu*`, token());
    expect(page).toMatchObject({ items: [changed], count: 1, totalCount: 1, applicationId: application.id });
    expect((await test.client.delete(own, token())).body).toEqual({ success: true });
    expect((await test.client.get(own, token())).status).toBe(404);
  });

  it('is returned with objects instead of arrays', async () => {
    const tags = ['a', 'b'].map((value) => ({ key: 'site', value }));
    const { id } = await made({ name: 'Pump', tags, attributes: [{ name: 'flow', dataType: 'number' }] });
    const forms = 'tagsAsObject=true&attributesAsObject=true';
    for (const answer of [`${path}/${id}?${forms}`, `${path}?${forms}`]) {
      const { body } = await test.client.get(answer, token());
      expect(body.items?.[0] ?? body).toMatchObject({
        tags: { site: ['a', 'b'] },
        attributes: { flow: { name: 'flow', dataType: 'number' } },
      });
    }
  });

  it.each([
    [{}, 'deviceRecipe.name is required'],
    [
      { name: 'a', attributes: [1, 2].map(() => ({ name: 'b', dataType: 'gps' })) },
      'device.attributes.1.name is a duplicate',
    ],
    [
      { name: 'a', attributes: [{ name: 'b', dataType: 'number', system: {} }] },
      /only for attributes of systems/,
    ],
  ])('is not created from %j', async (body, message) => {
    const answer = await create(body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it('rejects attributes that its class does not support', async () => {
    const attributes = [{ name: 'b', dataType: 'number', system: {} }];
    const { id } = await made({ name: 'Field', deviceClass: 'system', attributes });
    const { status } = await test.client.patch(`${path}/${id}`, { deviceClass: 'gateway' }, token());
    expect(status).toBe(400);
  });
});

describe('Devices of a recipe', () => {
  it('are created from a CSV, with the requested attributes, tags and names', async () => {
    const attributes = [{ name: 'pressure', dataType: 'number' }];
    const { id } = await made({ name: 'Pump', attributes, keepDuplicates: true });
    const csv = 'name,site\nPump 1,north\n"Pump, 2",\n';
    const { status, body } = await bulk(id, { csv, nameColumn: 'name' });
    expect([status, body.created, body.failed]).toEqual([201, 2, 0]);
    const [first, second] = rowsOf(body.csvResult);
    const { body: device } = await test.client.get(`${devices}/${first!.deviceId}`, token());
    expect(device).toMatchObject({ name: 'Pump 1', attributes, keepDuplicates: true });
    expect(device.tags).toEqual([
      { key: 'site', value: 'north' },
      { key: 'DeviceRecipe', value: id },
    ]);
    const { body: other } = await test.client.get(`${devices}/${second!.deviceId}`, token());
    expect(other).toMatchObject({ name: 'Pump, 2', tags: [{ key: 'DeviceRecipe', value: id }] });
    const row = await test.dataSource.manager.findOneByOrFail(Device, { id: first!.deviceId });
    expect(row).toMatchObject({ attributeNumbers: { pressure: 1 }, nextAttributeNumber: 2 });
  });

  it('are created from valid rows, and invalid rows get an error', async () => {
    const { body: gateway } = await test.client.post(
      devices,
      { name: 'Gateway', deviceClass: 'gateway' },
      token(),
    );
    const { id } = await made({ name: 'Probe', deviceClass: 'peripheral' });
    const ids = [gateway.id, '', 'no-id', 'f'.repeat(24)];
    const csv = ['gateway', ...ids].map((cell) => `x,${cell}`).join('\n');
    const { body } = await bulk(id, { csv, gatewayIdColumn: 'gateway' });
    expect([body.created, body.failed]).toEqual([2, 2]);
    const rows = rowsOf(body.csvResult);
    expect(rows.map(({ error }) => error)).toEqual([
      '',
      '',
      'The gateway is not an ID of 24 hexadecimal digits',
      'device.gatewayId is not a gateway or edge compute device of the application',
    ]);
    const classes = await Promise.all(
      rows.slice(0, 2).map(async (row) => {
        const { body: device } = await test.client.get(`${devices}/${row.deviceId}`, token());
        return device.deviceClass;
      }),
    );
    expect(classes).toEqual(['peripheral', 'floating']);
  });

  it('run the workflows with a trigger for new devices once each, and count as payloads', async () => {
    const trigger = { type: 'deviceCreate', key: 'site/', config: {}, outputIds: [] };
    const flow = await makeFlow(test, user.token, application.id, { triggers: [trigger] });
    const { id } = await made({ name: 'Pump', tags: [{ key: 'site', value: 'north' }] });
    const { body } = await bulk(id, { csv: 'name\nPump 1\nPump 2', nameColumn: 'name' });
    const csv = ['name', ...Array.from({ length: 751 }, (_, n) => `P${n}`)].join('\n');
    const { body: queued } = await bulk(id, { csv, nameColumn: 'name' });
    const job = () => test.dataSource.manager.findOneByOrFail(Job, { id: queued.jobId });
    await waitUntil(async () => (await job()).status === 'completed');
    const runs = (await requestedRuns(test, { flowId: flow.id })).map(({ deviceId: device, trigger }) => ({
      device,
      name: trigger.data.device.name,
    }));
    const [first] = rowsOf(body.csvResult);
    expect(runs).toContainEqual({ device: first!.deviceId, name: 'Pump 1' });
    expect(new Set(runs.map(({ device }) => device)).size).toBe(753);
    expect(runs).toHaveLength(753);
    const { body: shown } = await test.client.get(
      `/applications/${application.id}?summaryInclude=payloadCount`,
      token(),
    );
    expect(shown.summary.payloadCount.deviceCreate).toEqual({ 'user.rest': 753 });
  });

  it('get their own access keys, whose secrets are only in the result', async () => {
    const { id } = await made();
    const { body } = await bulk(id, { count: 2, makeUniqueKeySecret: true });
    const [one, two] = rowsOf(body.csvResult);
    expect(one!.accessSecret).toMatch(/^[0-9a-f]{128}$/);
    expect(one!.accessSecret).not.toBe(two!.accessSecret);
    const key = await test.dataSource.manager.findOneByOrFail(ApplicationKey, { key: one!.accessKey });
    expect(key).toMatchObject({ deviceIds: [one!.deviceId], status: 'active', createdById: user.id });
    const credentials = { deviceId: one!.deviceId, key: one!.accessKey, secret: one!.accessSecret };
    expect((await test.client.post('/auth/device', credentials)).status).toBe(200);
    const { status } = await test.client.post('/auth/device', { ...credentials, deviceId: two!.deviceId });
    expect(status).toBe(401);
  });

  it('are all created or none if the limit of the owner is reached', async () => {
    const org = await makeOrg(test, user.token);
    const { id: applicationId } = await makeApplication(test, user.token, { orgId: org.id });
    path = `/applications/${applicationId}/device-recipes`;
    devices = `/applications/${applicationId}/devices`;
    await test.dataSource.query('UPDATE orgs SET limits = $2 WHERE id = $1', [org.id, { device: 3 }]);
    const { id } = await made();
    expect((await bulk(id, { count: 4 })).body.message).toMatch(/^The limit of 3 devices/);
    expect((await listed()).totalCount).toBe(0);
    expect((await bulk(id, { count: 3 })).status).toBe(201);
    expect((await listed()).totalCount).toBe(3);
    const { body: log } = await test.client.get(`/orgs/${org.id}/audit-logs`, token());
    expect(log.items[0]).toMatchObject({
      requestAction: 'bulkCreate',
      secondaryTargetType: 'DeviceRecipe',
      secondaryTargetId: id,
    });
  });

  it('are created once each by a job if there are many', async () => {
    const { id } = await made();
    const csv = ['name', ...Array.from({ length: 751 }, (_, n) => `P${n}`)].join('\n');
    const { status, body } = await bulk(id, { csv, nameColumn: 'name', email: user.email });
    expect(status).toBe(202);
    expect(body).toMatchObject({ success: true, jobQueued: true });
    const job = () => test.dataSource.manager.findOneByOrFail(Job, { id: body.jobId });
    await waitUntil(async () => (await job()).status === 'completed');
    expect((await listed()).totalCount).toBe(751);
    // The input blob is deleted together with the payload.
    expect((await job()).payload).toEqual({});
  });

  it.each([
    [{}, /is required, but not both/],
    [{ count: 0 }, /count/],
    [{ count: 10_001 }, /count/],
    [{ csv: 'a\n"' }, /is not valid CSV/],
    [{ count: 1, callbackUrl: 'http://localhost/' }, /callbackUrl must be an https URL/],
  ])('are not created from %j', async (body, message) => {
    const { id } = await made();
    const answer = await bulk(id, body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)]);
  });
});
