import { insertEntries } from '../../../../test/make/audit-logs.js';
import { makeInstanceMember, makeUser, tokenOf, uniqueName } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { Instance } from '../instances/instance.resource.js';
import { InstanceAuditLog } from './audit-log.resource.js';

const NOW = Date.parse('2026-06-13T04:00:00.000Z');

describe('The audit log of an instance', () => {
  const { test } = suite();

  const get = (path: string, token: string) => test.client.get(path, { token });

  /** Creates a separate instance with an admin and these entries. */
  async function withEntries(...entries: Partial<InstanceAuditLog>[]) {
    const { manager } = test.dataSource;
    const instanceId = newId();
    const now = new Date();
    const instance = { name: uniqueName(), creationDate: now, lastUpdated: now, allowAuditLogging: true };
    await manager.insert(Instance, { id: instanceId, ...instance });
    const { id: userId, token } = await makeInstanceMember(test, 'admin', { instanceId });
    const rows = entries.map((entry, i) => ({
      id: newId(),
      instanceId,
      creationDate: new Date(NOW + i),
      actorId: userId,
      actorType: 'User',
      requestResource: 'instance',
      requestAction: 'patch',
      requestQueryParams: {},
      requestPathParams: { instanceId },
      responseStatus: 200,
      ...entry,
    }));
    await insertEntries(manager, InstanceAuditLog, instanceId, rows);
    return {
      path: `/instance/${instanceId}/audit-logs`,
      instanceId,
      userId,
      token,
      ids: rows.map(({ id }) => id),
    };
  }

  it('can be listed and read', async () => {
    const { path, instanceId, userId, token, ids } = await withEntries({}, { requestAction: 'get' });
    const entry = {
      id: ids[1],
      instanceAuditLogId: ids[1],
      instanceId,
      creationDate: new Date(NOW + 1).toISOString(),
      actorId: userId,
      actorType: 'User',
      requestResource: 'instance',
      requestAction: 'get',
      requestQueryParams: {},
      requestPathParams: { instanceId },
      responseStatus: 200,
    };
    const { status, body } = await get(`${path}?perPage=1`, token);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        items: [entry],
        count: 1,
        totalCount: 2,
        page: 0,
        perPage: 1,
        sortField: 'creationDate',
        sortDirection: 'desc',
        instanceId,
      },
    });
    expect((await get(`${path}/${ids[1]}`, token)).body).toEqual(entry);
  });

  it('can be read by all members of the instance and returns 404 to others', async () => {
    for (const role of ['view', 'admin'] as const) {
      const { token, instanceId } = await makeInstanceMember(test, role);
      expect((await get(`/instance/${instanceId}/audit-logs`, token)).status).toBe(200);
    }
    const { path, ids } = await withEntries({});
    const { token } = await makeUser(test);
    const elsewhere = await makeInstanceMember(test, 'admin');
    for (const caller of [token, elsewhere.token]) {
      for (const asked of [path, `${path}/${ids[0]}`]) {
        const { status, body } = await get(asked, caller);
        expect({ status, message: body.message }).toEqual({
          status: 404,
          message: 'Instance was not found',
        });
        expect((await test.client.get(asked)).status).toBe(401);
      }
    }
  });

  it('does not show entries of other instances', async () => {
    const [one, other] = [await withEntries({}), await withEntries({})];
    expect((await get(one.path, one.token)).body.items).toMatchObject([{ id: one.ids[0] }]);
    for (const id of [other.ids[0], newId()]) {
      const { status, body } = await get(`${one.path}/${id}`, one.token);
      expect({ status, message: body.message }).toEqual({ status: 404, message: 'Audit log was not found' });
    }
    expect((await get('/instance/x/audit-logs', one.token)).status).toBe(400);
  });

  it('requires separate scopes', async () => {
    const { path, userId, ids } = await withEntries({});
    for (const [scope, all, single] of [
      ['instanceAuditLogs.get', 200, 403],
      ['instanceAuditLog.get', 403, 200],
      ['all.Instance.read', 200, 200],
      ['all.User.bounded', 200, 200],
      ['all.Organization', 403, 403],
      ['auditLogs.get', 403, 403],
    ] as const) {
      const limited = tokenOf(test, userId, [scope]);
      expect({ scope, status: (await get(path, limited)).status }).toEqual({ scope, status: all });
      const one = await get(`${path}/${ids[0]}`, limited);
      expect({ scope, status: one.status }).toEqual({ scope, status: single });
    }
  });

  it('can be filtered by the types of an instance and limited to a period', async () => {
    const { path, token, ids } = await withEntries(
      { primaryTargetType: 'Organization', primaryTargetId: newId(), primaryTargetName: 'North' },
      { primaryTargetType: 'ApiToken', primaryTargetId: newId(), primaryTargetName: 'Nightly' },
    );
    const found = async (query: object) => {
      const text = new URLSearchParams(query as Record<string, string>).toString();
      const { status, body } = await get(`${path}?sortDirection=asc&${text}`, token);
      return status === 200 ? body.items.map(({ id }: { id: string }) => ids.indexOf(id)) : body.message;
    };
    const by = (filter: object) => found({ auditLogFilter: JSON.stringify(filter) });
    expect(await by({ primaryTarget: [{ type: 'Organization', name: 'north' }] })).toEqual([0]);
    expect(await by({ primaryTarget: [{ type: 'Organization' }, { type: 'ApiToken' }] })).toEqual([0, 1]);
    expect(await by({ primaryTarget: [{ type: 'Application' }] })).toMatch(
      /^auditLogFilter\.primaryTarget\.0\.type /,
    );
    expect(await by({ actor: [{ type: 'Flow' }] })).toMatch(/^auditLogFilter\.actor\.0\.type /);
    expect(await found({ start: String(NOW + 1) })).toEqual([1]);
    expect(await found({ end: String(NOW + 1) })).toEqual([0]);
  });
});
