import { insertEntries } from '../../../../test/make/audit-logs.js';
import {
  makeApplication,
  makeMember,
  makeOrg,
  makeUser,
  tokenOf,
  uniqueName,
} from '../../../../test/make/make.js';
import { claimsOf, makeApiToken } from '../../../../test/make/sign-in.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { Org } from '../orgs/org.resource.js';
import { AuditLog } from './audit-log.resource.js';

const DAY = 24 * 60 * 60_000;
const NOW = Date.parse('2026-06-13T04:00:00.000Z');

describe('The audit log of an organization', () => {
  const { test } = suite();
  let counted: ReturnType<typeof statementCounter>;
  beforeAll(() => {
    counted = statementCounter(test);
  });

  const get = (path: string, token: string) => test.client.get(path, { token });
  const list = (orgId: string, token: string, query: Record<string, unknown> = {}) =>
    get(`/orgs/${orgId}/audit-logs?${queryOf(query)}`, token);

  /** Creates an organization with exactly these entries. */
  async function withEntries(...entries: Partial<AuditLog>[]) {
    const admin = await makeUser(test);
    const org = await makeOrg(test, admin.token);
    const { manager } = test.dataSource;
    await manager.delete(AuditLog, { orgId: org.id });
    const rows = entries.map((entry, i) => entryOf(org.id, { creationDate: new Date(NOW + i), ...entry }));
    await insertEntries(manager, AuditLog, org.id as string, rows);
    return { orgId: org.id as string, token: admin.token, ids: rows.map(({ id }) => id) };
  }

  /** Returns the indexes of the given entries that match a filter. */
  async function found(made: Awaited<ReturnType<typeof withEntries>>, query: Record<string, unknown>) {
    const { status, body } = await list(made.orgId, made.token, { sortDirection: 'asc', ...query });
    expect({ status, count: body.count, totalCount: body.totalCount }).toEqual({
      status: 200,
      count: body.items.length,
      totalCount: body.items.length,
    });
    return body.items.map(({ id }: { id: string }) => made.ids.indexOf(id));
  }

  it('can be read by an admin while the organization is read-only', async () => {
    const { orgId, token, ids } = await withEntries({});
    await test.dataSource.manager.update(Org, { id: orgId }, { isReadOnly: true });
    const fresh = tokenOf(test, claimsOf(token).sub, ['all.Organization.read']);
    expect((await list(orgId, fresh)).body.items).toHaveLength(ids.length);
    expect((await get(`/orgs/${orgId}/invites`, fresh)).status).toBe(200);
    expect(
      (await test.client.patch(`/orgs/${orgId}`, {}, { token: tokenOf(test, claimsOf(token).sub) })).status,
    ).toBe(403);
  });

  it('records who changed what, through which request, and from which address', async () => {
    const admin = await makeUser(test);
    const org = await makeOrg(test, admin.token);
    const application = await makeApplication(test, admin.token, { orgId: org.id, name: 'Pump station' });
    const path = `/applications/${application.id}`;
    const change = { description: 'North', archiveConfig: null };
    expect((await test.client.patch(`${path}?a=b`, change, { token: admin.token })).status).toBe(200);
    const { body } = await list(org.id, admin.token, { perPage: 1 });
    const entry = {
      id: expect.any(String),
      auditLogId: body.items[0].id,
      creationDate: expect.any(String),
      orgId: org.id,
      actorId: admin.id,
      actorType: 'User',
      actorName: admin.email,
      requestResource: 'application',
      requestAction: 'patch',
      requestBody: change,
      requestQueryParams: { a: 'b', '@address': '127.0.0.1' },
      requestPathParams: { applicationId: application.id },
      responseBody: { id: application.id },
      responseStatus: 200,
      primaryTargetId: application.id,
      primaryTargetType: 'Application',
      primaryTargetName: 'Pump station',
    };
    expect(body).toEqual({
      items: [entry],
      count: 1,
      totalCount: 3,
      page: 0,
      perPage: 1,
      sortField: 'creationDate',
      sortDirection: 'desc',
      orgId: org.id,
    });
    expect(Math.abs(Date.parse(body.items[0].creationDate) - Date.now())).toBeLessThan(60_000);
    const one = await get(`/orgs/${org.id}/audit-logs/${body.items[0].id}`, admin.token);
    expect({ status: one.status, body: one.body }).toEqual({ status: 200, body: entry });
  });

  it('records an API token as the actor, with its owner', async () => {
    const admin = await makeUser(test);
    const org = await makeOrg(test, admin.token);
    const { id, name, token } = await makeApiToken(test, admin.token);
    expect((await test.client.patch(`/orgs/${org.id}`, { description: 'd' }, { token })).status).toBe(200);
    const { body } = await list(org.id, admin.token, { perPage: 1 });
    expect(body.items[0]).toMatchObject({
      actorId: id,
      actorType: 'ApiToken',
      actorName: `${name} (${admin.email})`,
    });
  });

  it('is written for a request with unknown query parameters, without their secrets', async () => {
    const { orgId, token } = await withEntries();
    const query = 'a=%00&access_token=Zx8pQ4&b[password]=Zx8pQ4&@address=1.2.3.4&__proto__=x&c=%ED%A0%80';
    const changed = await test.client.patch(`/orgs/${orgId}?${query}`, { description: 'd' }, { token });
    expect(changed.status).toBe(200);
    const [entry] = (await list(orgId, token)).body.items;
    expect(entry.requestQueryParams).toMatchObject({ a: '\ufffd', '@address': '127.0.0.1' });
    expect(JSON.stringify(entry)).not.toContain('Zx8pQ4');
  });

  it.each([
    ['none', 404],
    ['view', 403],
    ['collaborate', 403],
    ['edit', 403],
    ['admin', 200],
  ] as const)('read by a member with the role %s returns %i', async (role, status) => {
    const { orgId, ids } = await withEntries({});
    const { token } = await makeMember(test, orgId, role);
    expect((await list(orgId, token)).status).toBe(status);
    expect((await get(`/orgs/${orgId}/audit-logs/${ids[0]}`, token)).status).toBe(status);
  });

  it('returns 404 to callers outside the organization', async () => {
    const { orgId, ids } = await withEntries({});
    const { token } = await makeUser(test);
    for (const path of [`/orgs/${orgId}/audit-logs`, `/orgs/${orgId}/audit-logs/${ids[0]}`]) {
      const { status, body } = await get(path, token);
      expect({ status, body }).toEqual({
        status: 404,
        body: { type: 'NotFound', message: 'Organization was not found' },
      });
      expect((await test.client.get(path)).status).toBe(401);
    }
  });

  it('does not show entries of other organizations', async () => {
    const [one, other] = [await withEntries({}), await withEntries({})];
    expect(await found(one, {})).toEqual([0]);
    for (const id of [other.ids[0], newId()]) {
      const { status, body } = await get(`/orgs/${one.orgId}/audit-logs/${id}`, one.token);
      expect({ status, body }).toEqual({
        status: 404,
        body: { type: 'NotFound', message: 'Audit log was not found' },
      });
    }
    const upper = `/orgs/${one.orgId}/audit-logs/${one.ids[0]!.toUpperCase()}`;
    expect((await get(upper, one.token)).body.id).toBe(one.ids[0]);
    expect((await get(`/orgs/${one.orgId}/audit-logs/x`, one.token)).status).toBe(400);
  });

  it('requires separate scopes', async () => {
    const { id, token } = await makeUser(test);
    const org = await makeOrg(test, token);
    const entryId = (await list(org.id, token)).body.items[0].id;
    for (const [scope, all, single] of [
      ['auditLogs.get', 200, 403],
      ['auditLog.get', 403, 200],
      ['only.Organization.read', 200, 200],
      ['all.User.bounded', 200, 200],
      ['all.Application', 403, 403],
      ['org.*', 403, 403],
    ] as const) {
      const limited = tokenOf(test, id, [scope]);
      expect({ scope, status: (await list(org.id, limited)).status }).toEqual({ scope, status: all });
      const one = await get(`/orgs/${org.id}/audit-logs/${entryId}`, limited);
      expect({ scope, status: one.status }).toEqual({ scope, status: single });
    }
  });

  it('supports sorting and paging', async () => {
    const made = await withEntries(
      { actorName: 'b', responseStatus: 201 },
      { actorName: 'a', responseStatus: 200 },
      { actorName: 'c', responseStatus: 202 },
    );
    expect(await found(made, { sortDirection: undefined })).toEqual([2, 1, 0]);
    expect(await found(made, { sortField: 'creationDate' })).toEqual([0, 1, 2]);
    expect(await found(made, { sortField: 'responseStatus' })).toEqual([1, 0, 2]);
    expect(await found(made, { sortField: 'actorName', sortDirection: 'desc' })).toEqual([2, 0, 1]);
    const page = await list(made.orgId, made.token, { page: 1, perPage: 2 });
    expect(page.body).toMatchObject({ count: 1, totalCount: 3, page: 1, perPage: 2 });
    expect(page.body.items[0].id).toBe(made.ids[0]);
  });

  it('can be limited to a period that includes the start and excludes the end', async () => {
    const dates = [0, 1, 2].map((day) => ({ creationDate: new Date(NOW + day * DAY) }));
    const made = await withEntries(...dates);
    expect(await found(made, { start: NOW + DAY })).toEqual([1, 2]);
    expect(await found(made, { start: NOW + DAY + 1 })).toEqual([2]);
    expect(await found(made, { end: NOW + DAY })).toEqual([0]);
    expect(await found(made, { end: NOW + DAY + 1 })).toEqual([0, 1]);
    expect(await found(made, { start: NOW + DAY, end: NOW + 2 * DAY })).toEqual([1]);
    expect(await found(made, { start: NOW + DAY, end: NOW })).toEqual([]);
    expect(await found(made, { start: 0, end: 253402300799999 })).toEqual([0, 1, 2]);
    expect(await found(made, { start: '', end: '' })).toEqual([0, 1, 2]);
  });

  describe('when filtered', () => {
    const ids = [newId(), newId()] as const;
    const made = () =>
      withEntries(
        { actorId: ids[0], actorType: 'User', actorName: 'Ada@example.com' },
        { actorId: ids[1], actorType: 'ApiToken', actorName: 'Nightly (ada@example.com)' },
        {
          requestAction: 'delete',
          responseStatus: 202,
          primaryTargetId: ids[0],
          primaryTargetType: 'Application',
          primaryTargetName: 'Ünit 100%',
        },
        {
          requestResource: 'webhook',
          primaryTargetId: ids[1],
          primaryTargetType: 'Application',
          secondaryTargetId: ids[0],
          secondaryTargetType: 'Webhook',
          secondaryTargetName: 'Alarm',
        },
      );

    it.each<[object, number[]]>([
      [{}, [0, 1, 2, 3]],
      [{ actor: [{}] }, [0, 1, 2, 3]],
      [{ actor: [] }, []],
      [{ actor: [{ id: ids[0].toUpperCase() }] }, [0]],
      [{ actor: [{ type: 'ApiToken' }] }, [1]],
      [{ actor: [{ name: 'ADA@EXAMPLE.COM' }] }, [0]],
      [{ actor: [{ name: 'ada@' }] }, []],
      [{ actor: [{ name: '%' }] }, []],
      [{ actor: [{ id: ids[0] }, { id: ids[1] }] }, [0, 1]],
      [{ actor: [{ id: ids[0], type: 'ApiToken' }] }, []],
      [{ actor: [{ id: ids[0], type: 'User', name: 'ada@example.com' }] }, [0]],
      [{ primaryTarget: [{ name: 'ünit 100%' }] }, [2]],
      [{ primaryTarget: [{ type: 'Application' }] }, [2, 3]],
      [{ primaryTarget: [{ type: 'Application' }], secondaryTarget: [{ id: ids[0] }] }, [3]],
      [{ secondaryTarget: [{ type: 'Webhook', name: 'alarm' }] }, [3]],
      [{ request: [{ resource: 'org' }] }, [0, 1, 2]],
      [{ request: [{ resource: 'org', action: 'delete' }, { resource: 'webhook' }] }, [2, 3]],
      [{ request: [{ action: 'Delete' }] }, []],
      [{ responseCode: [202] }, [2]],
      [{ responseCode: [202, 200] }, [0, 1, 2, 3]],
      [{ responseCode: [202], request: [{ resource: 'webhook' }] }, []],
    ])('by %j', async (filter, positions) => {
      expect(await found(await made(), { auditLogFilter: JSON.stringify(filter) })).toEqual(positions);
    });

    it('can be limited to a period and paged', async () => {
      const log = await made();
      const auditLogFilter = JSON.stringify({ request: [{ resource: 'org' }] });
      expect(await found(log, { auditLogFilter, start: NOW + 1 })).toEqual([1, 2]);
      const { body } = await list(log.orgId, log.token, { auditLogFilter, perPage: 1, page: 2 });
      expect(body).toMatchObject({ count: 1, totalCount: 3, items: [{ id: log.ids[0] }] });
    });

    it('ignores a blank filter and accepts 100 items per array', async () => {
      const log = await made();
      expect(await found(log, { auditLogFilter: '' })).toEqual([0, 1, 2, 3]);
      const responseCode = Array.from({ length: 100 }, (_, i) => 200 + i);
      expect(await found(log, { auditLogFilter: JSON.stringify({ responseCode }) })).toEqual([0, 1, 2, 3]);
    });

    it.each<[string, unknown]>([
      ['', '{'],
      ['', '"text"'],
      ['', 'null'],
      ['', []],
      ['.actors', { actors: [] }],
      ['.__proto__', '{"__proto__":[]}'],
      ['.actor', { actor: {} }],
      ['.actor.0', { actor: ['x'] }],
      ['.actor.0.id', { actor: [{ id: 'x' }] }],
      ['.actor.0.type', { actor: [{ type: 'Instance' }] }],
      ['.actor.0.email', { actor: [{ email: 'a@b.example' }] }],
      ['.actor.0.name', { actor: [{ name: null }] }],
      ['', { actor: [{ name: 'a\0b' }] }],
      ['', '{"actor":[{"name":"\\ud800"}]}'],
      ['.actor.0.name', { actor: [{ name: 'a'.repeat(1025) }] }],
      ['.primaryTarget.0.type', { primaryTarget: [{ type: 'Webhook' }] }],
      ['.responseCode.0', { responseCode: [600] }],
      ['.responseCode.0', { responseCode: ['200'] }],
      ['.responseCode', { responseCode: Array.from({ length: 101 }, () => 200) }],
    ])('rejects auditLogFilter%s for %j', async (at, filter) => {
      const { orgId, token } = await withEntries();
      const auditLogFilter = typeof filter === 'string' ? filter : JSON.stringify(filter);
      const { status, body } = await list(orgId, token, { auditLogFilter });
      expect({ status, type: body.type }).toEqual({ status: 400, type: 'Validation' });
      expect(body.message.startsWith(`auditLogFilter${at} `)).toBe(true);
    });
  });

  it.each([
    'start=-1',
    'start=1e3',
    'start=2026-06-13',
    'start=253402300800000',
    'end=1.5',
    'end=1&end=2',
    'sortField=actorId',
    'sortDirection=up',
    'page=-1',
    'perPage=1001',
    'auditLogFilter[actor]=x',
    'auditLogFilter={}&auditLogFilter={}',
  ])('rejects ?%s', async (query) => {
    const { orgId, token } = await withEntries();
    const { status, body } = await get(`/orgs/${orgId}/audit-logs?${query}`, token);
    expect({ status, type: body.type }).toEqual({ status: 400, type: 'Validation' });
    expect(body.message.startsWith(/^\w+/.exec(query)![0])).toBe(true);
  });

  it('is read with a single SQL statement, including a filtered page', async () => {
    const { orgId, token, ids } = await withEntries({}, {});
    await list(orgId, token);
    const filter = JSON.stringify({ actor: [{ name: uniqueName() }], responseCode: [200] });
    for (const path of [
      `?${queryOf({ auditLogFilter: filter, start: 1, end: 2 })}`,
      '?page=1',
      `/${ids[0]}`,
    ]) {
      const { status, statements } = await counted('GET', `/orgs/${orgId}/audit-logs${path}`, token);
      expect({ status, statements: statements.length }).toEqual({ status: 200, statements: 1 });
    }
  });
});

/** Returns a query string without undefined parameters. */
function queryOf(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}

/** Returns an entry of an organization's log. Defaults are those of a change to the organization. */
function entryOf(orgId: string, given: Partial<AuditLog>): AuditLog {
  return {
    id: newId(),
    orgId,
    actorId: newId(),
    actorType: 'User',
    requestResource: 'org',
    requestAction: 'patch',
    requestQueryParams: {},
    requestPathParams: { orgId },
    responseStatus: 200,
    ...given,
  } as AuditLog;
}
