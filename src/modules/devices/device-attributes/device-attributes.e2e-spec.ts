import { makeApplication, makeMember, makeOrg, tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { Device } from '../devices/device.resource.js';

const { test, user, application } = suite();
let devices: string;
let path: string;
let deviceId: string;

beforeEach(async () => {
  devices = `/applications/${application.id}/devices`;
  deviceId = await device({ name: 'Pump' });
  path = `${devices}/${deviceId}/attributes`;
});

const token = () => ({ token: user.token });
async function device(body: object): Promise<string> {
  return (await test.client.post(devices, body, token())).body.id as string;
}
const create = (body: object) => test.client.post(path, body, token());
const pressure = { name: 'pressure', dataType: 'number' };
const numbers = async () =>
  (await test.dataSource.manager.findOneByOrFail(Device, { id: deviceId })).attributeNumbers;

describe('Device attribute', () => {
  it('is created, returned, updated and deleted', async () => {
    const more = { description: 'Bar', attributeTags: { unit: 'bar' } };
    const { status, body: attribute } = await create({ ...pressure, ...more });
    expect(status).toBe(201);
    expect(attribute).toEqual({ ...pressure, ...more, deviceId, applicationId: application.id });
    const own = `${path}/pressure`;
    expect((await test.client.get(own, token())).body).toEqual(attribute);
    const { body: changed } = await test.client.patch(own, { description: 'At the inlet' }, token());
    expect(changed).toEqual({ ...attribute, description: 'At the inlet' });
    expect((await test.client.get(own, token())).body).toEqual(changed);
    const { body: whole } = await test.client.get(`${devices}/${deviceId}`, token());
    expect(whole.attributes).toEqual([{ ...pressure, ...more, description: 'At the inlet' }]);
    expect((await test.client.delete(own, token())).body).toEqual({ success: true });
    expect((await test.client.get(own, token())).body).toEqual({
      type: 'NotFound',
      message: 'Device attribute was not found',
    });
  });

  it('keeps its number when it is renamed, and the number of a deleted attribute is not reused', async () => {
    await create(pressure);
    await create({ name: 'flow', dataType: 'number' });
    const { body } = await test.client.patch(`${path}/pressure`, { name: 'bar' }, token());
    expect(body).toMatchObject({ name: 'bar', dataType: 'number' });
    expect(await numbers()).toEqual({ bar: 1, flow: 2 });
    await test.client.delete(`${path}/flow`, token());
    await create({ name: 'flow', dataType: 'number' });
    expect(await numbers()).toEqual({ bar: 1, flow: 3 });
    expect((await test.client.get(`${path}/pressure`, token())).status).toBe(404);
  });

  it('has a unique name, even when several requests create it concurrently', async () => {
    const same = await Promise.all(Array.from({ length: 5 }, () => create(pressure)));
    expect(same.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
    expect(same.find(({ status }) => status === 400)!.body.message).toBe(
      'deviceAttribute.name is not available',
    );
    const others = await Promise.all(['a', 'b', 'c'].map((name) => create({ name, dataType: 'string' })));
    expect(others.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(Object.values(await numbers()).sort()).toEqual([1, 2, 3, 4]);
    const { status } = await test.client.patch(`${path}/a`, { name: 'b' }, token());
    expect(status).toBe(400);
  });

  it('can have the name of a property of every object', async () => {
    for (const name of ['__proto__', 'constructor']) {
      expect((await create({ name, dataType: 'number' })).status).toBe(201);
      const { body } = await test.client.get(`${path}/${name}`, token());
      expect(body).toMatchObject({ name, dataType: 'number' });
    }
    expect((await test.client.get(`${path}/toString`, token())).status).toBe(404);
    const { status, body } = await test.client.get(`${path}/a%20b`, token());
    expect([status, body.message]).toEqual([400, 'name is not the name of an attribute']);
  });

  it.each([
    [{ dataType: 'number' }, 'deviceAttribute.name is required'],
    [{ name: 'a' }, 'deviceAttribute.dataType is required'],
    [{ name: 'a b', dataType: 'number' }, /^deviceAttribute.name must/],
    [{ name: 'a', dataType: 'date' }, /^deviceAttribute.dataType must be one of/],
    [
      { name: 'a', dataType: 'number', contentType: 'image/png' },
      'deviceAttribute.contentType is supported only for blobs',
    ],
    [
      { name: 'a', dataType: 'number', system: {} },
      'deviceAttribute.system is supported only for attributes of systems',
    ],
    [{ name: 'a', dataType: 'number', attributeTags: { 'a b': 'c' } }, /^deviceAttribute.attributeTags/],
  ])('is not created from %j', async (body, message) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(message);
  });

  it('cannot change its data type', async () => {
    await create(pressure);
    const { body } = await test.client.patch(`${path}/pressure`, { dataType: 'string' }, token());
    expect(body.message).toMatch(/^deviceAttribute.dataType is not a property/);
  });

  it('includes its child attributes if the device is a system', async () => {
    const id = await device({ name: 'Field', deviceClass: 'system' });
    const child = { name: 'pressure', mode: 'whitelist', deviceIds: [deviceId.toUpperCase()] };
    const system = { aggregation: 'MEAN', childAttributes: [child] };
    const body = { ...pressure, system };
    const { body: attribute } = await test.client.post(`${devices}/${id}/attributes`, body, token());
    expect(attribute.system.childAttributes[0].deviceIds).toEqual([deviceId]);
  });

  it('returns 404 if the device does not exist, is deleted or belongs to another application', async () => {
    await create(pressure);
    const other = await makeApplication(test, user.token);
    const places = [`${devices}/${newId()}`, `/applications/${other.id}/devices/${deviceId}`];
    await test.client.delete(`${devices}/${deviceId}`, token());
    for (const place of [...places, `${devices}/${deviceId}`]) {
      const own = `${place}/attributes/pressure`;
      const answers = [
        await test.client.get(`${place}/attributes`, token()),
        await test.client.post(`${place}/attributes`, { ...pressure, name: 'b' }, token()),
        await test.client.get(own, token()),
        await test.client.patch(own, { description: 'b' }, token()),
        await test.client.delete(own, token()),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    }
  });

  it('is recorded in the audit log with its device when it is created', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    devices = `/applications/${id}/devices`;
    deviceId = await device({ name: 'Pump' });
    path = `${devices}/${deviceId}/attributes`;
    await create(pressure);
    const { body } = await test.client.get(`/orgs/${org.id}/audit-logs`, token());
    expect(body.items[0]).toMatchObject({
      requestResource: 'deviceAttributes',
      requestAction: 'post',
      secondaryTargetType: 'Device',
      secondaryTargetId: deviceId,
    });
  });
});

describe('List of device attributes', () => {
  beforeEach(async () => {
    for (const [name, dataType] of Object.entries({ flow: 'number', Door: 'boolean', flag: 'boolean' }))
      await create({ name, dataType });
  });

  it.each([
    ['', ['Door', 'flag', 'flow']],
    ['?sortDirection=desc', ['flow', 'flag', 'Door']],
    ['?sortField=dataType', ['Door', 'flag', 'flow']],
    ['?filter=FL*', ['flag', 'flow']],
    ['?filterField=dataType&filter=boolean', ['Door', 'flag']],
    ['?filter=%25', []],
  ])('returns all matching attributes with the query %j', async (query, names) => {
    const { body } = await test.client.get(path + query, token());
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(body).toMatchObject({ applicationId: application.id, deviceId, count: names.length });
    expect(body.totalCount).toBe(names.length);
  });

  it('is limited to 256 attributes', async () => {
    const attributes = Array.from({ length: 256 }, (_, n) => ({ name: `a${n}`, dataType: 'number' }));
    await test.client.patch(`${devices}/${deviceId}`, { attributes }, token());
    expect((await create(pressure)).body.message).toBe('A device can have at most 256 attributes');
    await test.client.delete(`${path}/a7`, token());
    expect((await create(pressure)).status).toBe(201);
  });

  it('requires view to read and collaborate to write', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    devices = `/applications/${id}/devices`;
    path = `${devices}/${await device({ name: 'Pump' })}/attributes`;
    const statuses = [];
    for (const role of ['none', 'view', 'collaborate'] as const) {
      const member = await makeMember(test, org.id, role);
      const read = await test.client.get(path, { token: member.token });
      const written = await test.client.post(path, { ...pressure, name: role }, { token: member.token });
      statuses.push([read.status, written.status]);
    }
    expect(statuses).toEqual([
      [404, 404],
      [200, 403],
      [200, 201],
    ]);
  });

  it.each([
    ['all.User.read', 200, 403],
    ['all.Device', 200, 403],
    ['all.Application.bounded', 200, 201],
    ['deviceAttributes.*', 200, 201],
    ['deviceAttribute.*', 403, 403],
  ])('with the scope %s returns %i for reads and %i for writes', async (scope, read, written) => {
    const scoped = { token: tokenOf(test, user.id, [scope]) };
    expect((await test.client.get(path, scoped)).status).toBe(read);
    expect((await test.client.post(path, pressure, scoped)).status).toBe(written);
  });
});
