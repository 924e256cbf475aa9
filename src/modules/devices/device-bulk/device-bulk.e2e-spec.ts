import { Killed, makeHeldJob, nextAttempt } from '../../../../test/make/job-attempts.js';
import { makeApplication, makeOrg } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { Job } from '../../../platform/jobs/job.entity.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { Device } from '../devices/device.resource.js';
import { DevicesService } from '../devices/devices.service.js';
import { DeviceBulkJobs, type DeviceBulkJob } from './device-bulk.jobs.js';

const { test, user, application } = suite();
let path: string;

beforeEach(() => {
  path = `/applications/${application.id}/devices`;
});

const token = () => ({ token: user.token });
const made = async (body: object) => (await test.client.post(path, body, token())).body;
const get = async (id: string) => (await test.client.get(`${path}/${id}`, token())).body;
const patch = (body: object) => test.client.patch(path, body, token());
const remove = (body: object) => test.client.post(`${path}/delete`, body, token());
const restore = (body: object) => test.client.post(`${path}/restore`, body, token());
const count = async (query = '') => (await test.client.get(path + query, token())).body.totalCount;
const done = (id: string) =>
  waitUntil(async () => (await test.dataSource.manager.findOneByOrFail(Job, { id })).status === 'completed');
const PUMPS = { name: { $startsWith: 'Pump' } };

describe('Bulk operations on devices', () => {
  it('delete and restore only the devices that match the query', async () => {
    for (const name of ['Pump 1', 'Pump 2', 'Valve']) await made({ name });
    const removed = await remove({ query: PUMPS });
    expect([removed.status, removed.body]).toEqual([200, { removed: 2, failed: 0 }]);
    expect([await count(), await count('?queryDeleted=true')]).toEqual([1, 2]);
    expect((await remove({ query: PUMPS })).body).toEqual({ removed: 0, failed: 0 });
    const restored = await restore({ query: PUMPS });
    expect([restored.status, restored.body]).toEqual([200, { restored: 2, failed: 0 }]);
    expect([await count(), await count('?queryDeleted=true')]).toEqual([3, 0]);
  });

  it('restore devices up to the limit of the owner', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    path = `/applications/${id}/devices`;
    for (const name of ['Pump 1', 'Pump 2']) await made({ name });
    await remove({ query: {} });
    await test.dataSource.query('UPDATE orgs SET limits = $2 WHERE id = $1', [org.id, { device: 1 }]);
    expect((await restore({ query: {} })).body).toEqual({ restored: 1, failed: 1 });
    const { body: log } = await test.client.get(`/orgs/${org.id}/audit-logs`, token());
    expect(log.items[0]).toMatchObject({ requestAction: 'restore', secondaryTargetType: 'Device' });
  });

  it('apply the same changes to all devices, subject to the rules of each', async () => {
    const pump = await made({ name: 'Pump', tags: [{ key: 'site', value: 'south' }] });
    const system = await made({ name: 'System', deviceClass: 'system' });
    const { status, body } = await patch({
      deviceIds: [pump.id, system.id],
      updateFields: { deviceClass: 'gateway' },
      updateOperations: [
        { operation: 'set', target: 'tag', value: { key: 'site', value: 'north' } },
        { operation: 'add', target: 'attribute', value: { name: 'flow', dataType: 'number' } },
      ],
    });
    expect(status).toBe(200);
    expect(body).toEqual({ updated: 1, skipped: 0, failed: 1, logLink: expect.stringContaining('/blobs/') });
    expect(await get(pump.id)).toMatchObject({
      deviceClass: 'gateway',
      tags: [{ key: 'site', value: 'north' }],
      attributes: [{ name: 'flow', dataType: 'number' }],
    });
    expect((await get(system.id)).deviceClass).toBe('system');
  });

  it('keep the values of a renamed attribute, and skip devices that would not change', async () => {
    const { id } = await made({ name: 'Pump', attributes: [{ name: 'flow', dataType: 'number' }] });
    const rename = { operation: 'set', target: 'attributeName', attributeName: 'flow', value: 'rate' };
    expect((await patch({ deviceIds: [id], updateOperations: [rename] })).body).toMatchObject({ updated: 1 });
    const row = await test.dataSource.manager.findOneByOrFail(Device, { id });
    expect(row.attributeNumbers).toEqual({ rate: 1 });
    const untag = { operation: 'remove', target: 'tag', tagKey: 'site' };
    const same = await patch({ query: {}, updateFields: { name: 'Pump' }, updateOperations: [untag] });
    expect(same.body).toEqual({ updated: 0, skipped: 1, failed: 0 });
  });

  it('run as a job on request, with the same result', async () => {
    for (const name of ['Pump 1', 'Pump 2']) await made({ name });
    const removed = await remove({ query: PUMPS, forceJob: true });
    expect(removed.status).toBe(202);
    await done(removed.body.jobId);
    expect([await count(), await count('?queryDeleted=true')]).toEqual([0, 2]);
    const restored = await restore({ query: PUMPS, forceJob: true, email: user.email });
    await done(restored.body.jobId);
    expect(await count()).toBe(2);
  });

  it('process each device once if the worker of the job is killed, and report failed devices', async () => {
    const gateway = await made({ name: 'Pump 0', deviceClass: 'gateway' });
    for (const name of ['Pump 1', 'Pump 2', 'Pump 3', 'Pump 4', 'Pump 5']) {
      const held = name === 'Pump 2' ? { deviceClass: 'peripheral', gatewayId: gateway.id } : {};
      await made({ name, ...held });
    }
    const id = await makeHeldJob(test, 'devices.bulk');
    const payload: DeviceBulkJob = {
      applicationId: application.id,
      operation: 'devices.patch',
      act: { kind: 'patch', updateFields: { description: 'checked' } },
      selection: { deviceQuery: PUMPS },
      by: { id: user.id, type: 'user', facts: {} },
      listeners: {},
    };
    const devices = test.app.get(DevicesService);
    const changeBy = devices.updateWith.bind(devices);
    jest.spyOn(devices, 'updateWith').mockImplementation((application, device, ...rest) => {
      if (device === gateway.id) throw new ValidationError('device is held');
      return changeBy(application, device, ...rest);
    });
    const jobs = test.app.get(DeviceBulkJobs);
    const killedAt = (last: number) => (times: number) => {
      if (times === last) throw new Killed();
    };
    await expect(jobs.run(payload, await nextAttempt(test, id, killedAt(3)))).rejects.toThrow(Killed);
    await expect(jobs.run(payload, await nextAttempt(test, id, killedAt(2)))).rejects.toThrow(Killed);
    expect(await jobs.run(payload, await nextAttempt(test, id))).toEqual({ written: 5, failed: 1 });
    expect((await get(gateway.id)).description).toBeUndefined();
  });

  it('run as a job for many devices', async () => {
    const recipes = `/applications/${application.id}/device-recipes`;
    const { body: recipe } = await test.client.post(recipes, { name: 'Pump' }, token());
    await test.client.post(`${recipes}/${recipe.id}/bulkCreate`, { count: 101 }, token());
    const { status, body } = await patch({ query: {}, updateFields: { keepDuplicates: true } });
    expect(status).toBe(202);
    await done(body.jobId);
    const changed = await test.dataSource.manager.countBy(Device, {
      applicationId: application.id,
      keepDuplicates: true,
    });
    expect(changed).toBe(101);
  });

  it('record each device in the audit log, both within the request and by a job', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    path = `/applications/${id}/devices`;
    const pumps: string[] = [];
    for (const name of ['Pump 1', 'Pump 2']) pumps.push((await made({ name })).id);
    await made({ name: 'Valve' });
    const told = async (action: string) => {
      const { body } = await test.client.get(`/orgs/${org.id}/audit-logs`, token());
      return body.items
        .filter((entry: any) => entry.requestResource === 'devices' && entry.requestAction === action)
        .map((entry: any) => [entry.actorId, entry.secondaryTargetType, entry.secondaryTargetId])
        .sort();
    };
    const each = pumps.map((pump) => [user.id, 'Device', pump]).sort();
    await patch({ query: PUMPS, updateFields: { keepDuplicates: true } });
    expect(await told('patch')).toEqual(each);
    await done((await remove({ query: PUMPS, forceJob: true })).body.jobId);
    expect(await told('delete')).toEqual(each);
    await restore({ query: PUMPS });
    expect(await told('restore')).toEqual(each);
  });

  it('ignore devices of another application', async () => {
    const { id } = await made({ name: 'Pump' });
    const other = await makeApplication(test, user.token);
    const answer = await test.client.patch(
      `/applications/${other.id}/devices`,
      { deviceIds: [id], updateFields: { name: 'b' } },
      token(),
    );
    expect(answer.body).toEqual({ updated: 0, skipped: 0, failed: 0 });
    expect((await get(id)).name).toBe('Pump');
  });

  it.each([
    [{ updateFields: { name: 'a' } }, /deviceIds or devicesPatch.query is required/],
    [{ query: {} }, /updateFields or devicesPatch.updateOperations is required/],
    [{ query: { colour: 'red' }, updateFields: {} }, /query/],
    [{ query: {}, updateOperations: [{ operation: 'set', target: 'id', value: 'a' }] }, /updateOperations/],
  ])('return 400 for %j', async (body, message) => {
    const answer = await patch(body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)]);
  });
});
