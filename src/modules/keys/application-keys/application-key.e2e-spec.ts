import { UNKNOWN } from '../../../../test/make/api-tokens.js';
import { makeApplication, makeMember, makeOrg, makeUser, tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import type { Role } from '../../../platform/operations/operation.js';

const { test } = suite();

/** Creates an organization with an application and one key, created by the organization's admin. */
async function organized(given: object = {}) {
  const admin = await makeUser(test);
  const { token } = admin;
  const org = await makeOrg(test, token);
  const application = await makeApplication(test, token, { orgId: org.id });
  const { body } = await test.client.post(`/applications/${application.id}/keys`, given, { token });
  const { secret: _once, ...made } = body;
  const path = `/applications/${application.id}/keys/${made.id}`;
  return {
    admin,
    org,
    application,
    made,
    path,
    get: (as = token) => test.client.get(path, { token: as }),
    patch: (changes: unknown, as = token) => test.client.patch(path, changes, { token: as }),
    remove: (as = token) => test.client.delete(path, { token: as }),
  };
}

describe('An access key', () => {
  it('is returned, and IDs in upper case are accepted', async () => {
    const { admin, application, made, get } = await organized({ name: 'Pumps' });
    expect((await get()).body).toEqual(made);
    const path = `/applications/${application.id.toUpperCase()}/keys/${made.id.toUpperCase()}`;
    expect((await test.client.get(path, { token: admin.token })).body).toEqual(made);
  });

  it('updates the given properties, keeps the others and replaces arrays', async () => {
    const { made, get, patch } = await organized({
      name: 'Pumps',
      description: 'before',
      deviceIds: [UNKNOWN],
      filterType: 'whitelist',
      pubTopics: ['a', 'b'],
      addresses: ['203.0.113.7'],
    });
    const changes = { description: '', status: 'inactive', pubTopics: ['c'], addresses: [] };
    const { status, body } = await patch(changes);
    expect(status).toBe(200);
    expect(body).toEqual({ ...made, ...changes, lastUpdated: body.lastUpdated });
    expect(body.lastUpdated > made.lastUpdated).toBe(true);
    expect((await get()).body).toEqual(body);
    expect((await patch({})).body).toMatchObject(changes);
  });

  it('records the last author', async () => {
    const { admin, org, patch } = await organized();
    const member = await makeMember(test, org.id, 'collaborate');
    expect((await patch({ filterType: 'all' }, member.token)).body).toMatchObject({
      createdById: admin.id,
      lastUpdatedById: member.id,
    });
  });

  it('removes the name when it is null', async () => {
    const { patch } = await organized({ name: 'Pumps' });
    const { status, body } = await patch({ name: null });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('name');
    expect((await patch({ name: 'Fans' })).body.name).toBe('Fans');
  });

  it.each<[string, object]>([
    ['applicationKey.deviceIds', { deviceIds: [] }],
    ['applicationKey.deviceTags', { deviceTags: [] }],
    ['applicationKey.key', { key: 'mine' }],
    ['applicationKey.secret', { secret: 'mine' }],
    ['applicationKey.status', { status: 'gone' }],
    ['applicationKey.description', { description: null }],
    ['applicationKey.addresses.1', { addresses: ['203.0.113.7', '203.0.113.300'] }],
    ['applicationKey.filterType', { filterType: null }],
  ])('rejects an update of %s with %j', async (at, changes) => {
    const { made, get, patch } = await organized();
    const answer = await patch({ name: 'eve', ...changes });
    expect([answer.status, answer.body.type]).toEqual([400, 'Validation']);
    expect(answer.body.message.startsWith(`${at} `)).toBe(true);
    expect((await get()).body).toEqual(made);
  });

  it('is deleted once by two concurrent requests, and then returns 404', async () => {
    const { get, patch, remove } = await organized();
    const answers = await Promise.all([remove(), remove()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    for (const answer of [await get(), await patch({ name: 'x' }), await remove()])
      expect([answer.status, answer.body]).toEqual([
        404,
        { type: 'NotFound', message: 'Application key was not found' },
      ]);
  });

  it('returns 404 below another application', async () => {
    const { admin, made, get } = await organized();
    const { token } = admin;
    const other = await makeApplication(test, token);
    const path = `/applications/${other.id}/keys/${made.id}`;
    for (const answer of [
      await test.client.get(path, { token }),
      await test.client.patch(path, { status: 'inactive' }, { token }),
      await test.client.delete(path, { token }),
    ])
      expect(answer.status).toBe(404);
    expect((await get()).body).toEqual(made);
  });

  it.each<[Role, number, number]>([
    ['none', 404, 404],
    ['view', 200, 403],
    ['collaborate', 200, 200],
    ['edit', 200, 200],
    ['admin', 200, 200],
  ])('with the role %s, answers reads with %i and writes with %i', async (role, read, write) => {
    const { org, get, patch, remove } = await organized();
    const { token } = await makeMember(test, org.id, role);
    expect((await get(token)).status).toBe(read);
    expect((await patch({ name: 'x' }, token)).status).toBe(write);
    expect((await remove(token)).status).toBe(write);
  });

  it.each([
    ['all.Application.bounded', 200, 200],
    ['applicationKey.*', 200, 200],
    ['all.User.read', 200, 403],
    ['applicationKey.get', 200, 403],
    ['applicationKeys.*', 403, 403],
    ['all.Application.cli', 403, 403],
  ])('with the scope %s, answers reads with %i and writes with %i', async (scope, read, write) => {
    const { admin, get, patch, remove } = await organized();
    const token = tokenOf(test, admin.id, [scope]);
    expect((await get(token)).status).toBe(read);
    expect((await patch({ name: 'x' }, token)).status).toBe(write);
    expect((await remove(token)).status).toBe(write);
  });

  it('returns 401 without a token, 400 for a malformed ID and 404 for an unknown ID', async () => {
    const { admin, application, path } = await organized();
    expect((await test.client.get(path)).status).toBe(401);
    expect((await test.client.get(`${path}0`, { token: admin.token })).status).toBe(400);
    expect(
      (await test.client.get(`/applications/${application.id}/keys/${UNKNOWN}`, { token: admin.token }))
        .status,
    ).toBe(404);
  });

  it('appears in the audit log by its name, or by its key if it has no name', async () => {
    const { admin, org, made, patch, remove } = await organized();
    await patch({ name: 'Pumps' });
    await remove();
    const { body } = await test.client.get(`/orgs/${org.id}/audit-logs?sortDirection=asc`, {
      token: admin.token,
    });
    const entries = body.items.filter(
      ({ secondaryTargetType }: { secondaryTargetType?: string }) => secondaryTargetType === 'ApplicationKey',
    );
    expect(
      entries.map((entry: Record<string, string>) => [
        `${entry.requestResource}.${entry.requestAction}`,
        entry.secondaryTargetId,
        entry.secondaryTargetName,
      ]),
    ).toEqual([
      ['applicationKeys.post', made.id, made.key],
      ['applicationKey.patch', made.id, 'Pumps'],
      ['applicationKey.delete', made.id, 'Pumps'],
    ]);
  });
});
