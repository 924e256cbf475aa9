import { withClock } from '../../../../test/doubles/clock.js';
import { apiTokenCalls, futureDate, HOUR, UNKNOWN } from '../../../../test/make/api-tokens.js';
import {
  defaultInstance,
  makeApplication,
  makeInstanceMember,
  makeOrg,
  makeUser,
  uniqueName,
  makeInstance,
} from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { AccessCache } from '../../../platform/access/access-cache.js';
import { TokenSigner } from '../../../platform/access/token-signer.js';
import { Org } from '../orgs/org.resource.js';
import { ApiToken } from './api-token.resource.js';

const { test, other } = suite();

const tokensOf = (owner: string) => apiTokenCalls(() => test, owner);

/** Creates an organization with an application that has a token. */
async function organized(body?: object) {
  const admin = await makeUser(test);
  const org = await makeOrg(test, admin.token);
  const application = await makeApplication(test, admin.token, { orgId: org.id });
  const path = `/applications/${application.id}`;
  const { token, ...made } = await tokensOf(path).make(admin.token, body);
  return { ...tokensOf(path), admin, org, application, path, token: token as string, made };
}

/** Sends a request to both processes and returns the statuses. */
async function everywhere(token: string, path: string, method = 'GET', body?: object): Promise<number[]> {
  const answers = await Promise.all(
    [test, other].map(({ client }) => client.request(method, path, { token, body })),
  );
  return answers.map(({ status }) => status);
}

/** Gives a token scopes that its type can never receive: its reach must not depend on its scopes alone. */
const widen = (id: string) =>
  test.dataSource.manager.update(ApiToken, { id }, { scope: ['all.User', 'all.Organization'] });

describe('An API token of an application', () => {
  it('has access to its application', async () => {
    const { path, token, application, org } = await organized();
    const read = await test.client.get(path, { token });
    expect(read.body).toMatchObject({ id: application.id, ownerId: org.id });
    const name = uniqueName();
    expect((await test.client.patch(path, { name }, { token })).body.name).toBe(name);
    for (const below of ['/readme', '/tokens'])
      expect((await test.client.get(path + below, { token })).status).toBe(200);
    expect((await test.client.patch(`${path}/readme`, { content: 'x' }, { token })).status).toBe(200);
    expect((await test.client.delete(path, { token })).status).toBe(200);
    expect((await test.client.get(path, { token })).status).toBe(401);
  });

  it('has no access to other applications, including those of the same owner', async () => {
    const { admin, org, token } = await organized();
    const others = [
      (await makeApplication(test, admin.token, { orgId: org.id })).id,
      (await makeApplication(test, admin.token)).id,
      UNKNOWN,
    ];
    for (const id of others) {
      const path = `/applications/${id}`;
      for (const [method, at, body] of [
        ['GET', path],
        ['PATCH', path, { name: 'eve' }],
        ['DELETE', path],
        ['GET', `${path}/readme`],
        ['GET', `${path}/tokens`],
        ['POST', `${path}/tokens`, { name: 'eve' }],
        ['PATCH', `${path}/globals`, [{ key: 'a', json: '1' }]],
      ] as const) {
        const answer = await test.client.request(method, at, { token, body });
        expect([method, at, answer.status, answer.body.message]).toEqual([
          method,
          at,
          404,
          'Application was not found',
        ]);
      }
    }
  });

  it('has no access outside its application', async () => {
    const { org, token } = await organized();
    for (const path of [
      '/applications',
      '/me',
      '/me/tokens',
      '/orgs',
      `/orgs/${org.id}`,
      '/instances',
      `/instances/${await defaultInstance(test)}`,
    ])
      expect([path, (await test.client.get(path, { token })).status]).toEqual([path, 403]);
    const posted = await test.client.post('/applications', { name: uniqueName() }, { token });
    expect(posted.status).toBe(403);
    expect((await test.client.patch('/me', { title: 'x' }, { token })).status).toBe(403);
  });

  it('has no access outside its application, regardless of its scopes', async () => {
    const { admin, org, application, path, made, token } = await organized();
    await makeApplication(test, admin.token, { orgId: org.id });
    await widen(made.id);
    const get = (at: string) => test.client.get(at, { token });
    expect((await get('/applications')).body.items.map(({ id }: { id: string }) => id)).toEqual([
      application.id,
    ]);
    expect((await get('/orgs')).body.items).toEqual([]);
    expect((await get(`/orgs/${org.id}`)).status).toBe(404);
    expect((await get(`/instances/${await defaultInstance(test)}`)).status).toBe(404);
    for (const at of ['/me', '/me/tokens']) expect((await get(at)).status).toBe(403);
    for (const orgId of [undefined, org.id]) {
      const posted = await test.client.post('/applications', { name: uniqueName(), orgId }, { token });
      expect([403, 404]).toContain(posted.status);
    }
    const users = await tokensOf('/me').create(token);
    expect(users.status).toBe(403);
    const next = await tokensOf(path).make(token, { scope: ['all.User'] });
    expect((await test.client.get('/me', { token: next.token })).status).toBe(403);
    const seen = await test.client.get('/applications', { token: next.token });
    expect(seen.body.items.map(({ id }: { id: string }) => id)).toEqual([application.id]);
  });

  it('is not valid for another owner or another type of owner with the same ID', async () => {
    const { admin, application, path, made } = await organized();
    const signer = test.app.get(TokenSigner);
    const second = await makeApplication(test, admin.token);
    const forged = [
      { sub: application.id, jti: made.id, ownerType: 'application' as const },
      { sub: second.id, jti: made.id, ownerType: 'application' as const },
      { sub: application.id, jti: made.id },
      { sub: application.id, jti: made.id, ownerType: 'instance' as const },
      { sub: application.id, ownerType: 'application' as const },
    ];
    for (const claims of forged) {
      const token = signer.sign({ ...claims, scope: ['all.Application'] }, { ttl: 60, issuedAt: new Date() });
      expect((await test.client.get(path, { token })).status).toBe(401);
    }
  });

  it('continues to work after its creator has left', async () => {
    const { admin, org, path, token } = await organized();
    await test.dataSource.query('DELETE FROM org_members WHERE org_id = $1', [org.id]);
    await test.app.get(AccessCache).evict(admin.id);
    expect(await everywhere(admin.token, path)).toEqual([404, 404]);
    expect(await everywhere(token, path)).toEqual([200, 200]);
  });

  it('is rejected after it has expired, with a separate message', async () => {
    const { path, token, admin, made, get } = await organized({ expirationDate: futureDate(HOUR) });
    expect(await everywhere(token, path)).toEqual([200, 200]);
    for (const { client } of [test, other]) {
      const { status, body } = await withClock(HOUR, () => client.get(path, { token }));
      expect([status, body]).toEqual([401, { type: 'Unauthorized', message: 'Access token has expired' }]);
    }
    expect((await get(admin.token, made.id)).status).toBe(200);
  });
});

describe('A change that affects an application’s token takes effect immediately in every process:', () => {
  it('a change of its status', async () => {
    const { admin, path, token, made, patch } = await organized();
    for (let round = 0; round < 2; round++) {
      expect(await everywhere(token, path)).toEqual([200, 200]);
      await patch(admin.token, made.id, { status: 'inactive' });
      expect(await everywhere(token, path)).toEqual([401, 401]);
      await patch(admin.token, made.id, { status: 'active' });
    }
    expect(await everywhere(token, path)).toEqual([200, 200]);
  });

  it('a change of its role', async () => {
    const { admin, path, token, made, patch } = await organized();
    const rename = () => everywhere(token, path, 'PATCH', { name: uniqueName() });
    expect(await rename()).toEqual([200, 200]);
    await patch(admin.token, made.id, { defaultRole: 'view' });
    expect(await rename()).toEqual([403, 403]);
    await patch(admin.token, made.id, { defaultRole: 'none' });
    expect(await everywhere(token, path)).toEqual([404, 404]);
  });

  it('its deletion, including by itself, without affecting other tokens', async () => {
    const { admin, path, token, made, make, remove } = await organized();
    const second = await make(admin.token);
    expect(await everywhere(token, path)).toEqual([200, 200]);
    expect((await remove(token, made.id)).status).toBe(200);
    expect(await everywhere(token, path)).toEqual([401, 401]);
    expect(await everywhere(second.token, path)).toEqual([200, 200]);
  });

  it('deletion of the application', async () => {
    const { admin, path, token } = await organized();
    expect(await everywhere(token, path)).toEqual([200, 200]);
    await test.client.delete(path, { token: admin.token });
    expect(await everywhere(token, path)).toEqual([401, 401]);
  });

  it('deletion of the organization that owns the application', async () => {
    const { admin, org, path, token } = await organized();
    expect(await everywhere(token, path)).toEqual([200, 200]);
    await test.client.delete(`/orgs/${org.id}`, { token: admin.token });
    expect(await everywhere(token, path)).toEqual([401, 401]);
  });

  it('deletion of the organization, before a job has removed anything', async () => {
    const { org, path, token } = await organized();
    expect(await everywhere(token, path)).toEqual([200, 200]);
    await test.dataSource.manager.update(Org, { id: org.id }, { deletedAt: new Date() });
    await test.app.get(AccessCache).evict(org.id);
    expect(await everywhere(token, path)).toEqual([401, 401]);
  });

  it('transfer of the application to another owner', async () => {
    const { admin, org, application, path, token } = await organized();
    const next = await makeOrg(test, admin.token);
    const rename = () => everywhere(token, path, 'PATCH', { name: uniqueName() });
    expect(await rename()).toEqual([200, 200]);
    const transfer = {
      destinationId: next.id,
      destinationType: 'organization',
      applicationIds: [application.id],
    };
    const options = { token: admin.token };
    expect((await test.client.patch(`/orgs/${org.id}/transferResources`, transfer, options)).status).toBe(
      200,
    );
    expect(await rename()).toEqual([200, 200]);
    expect((await test.client.get(path, { token })).body.ownerId).toBe(next.id);
    await test.client.delete(`/orgs/${org.id}`, options);
    expect(await everywhere(token, path)).toEqual([200, 200]);
  });

  it('the owner becoming read-only', async () => {
    const { org, path, token } = await organized();
    const rename = () => everywhere(token, path, 'PATCH', { name: uniqueName() });
    expect(await rename()).toEqual([200, 200]);
    await test.dataSource.manager.update(Org, { id: org.id }, { isReadOnly: true });
    await test.app.get(AccessCache).evict(org.id);
    expect(await rename()).toEqual([403, 403]);
    expect(await everywhere(token, path)).toEqual([200, 200]);
  });
});

describe('An API token of an instance', () => {
  /** Creates a token of the home instance and an organization in it of which the admin is not a member. */
  async function governed(body?: object) {
    const admin = await makeInstanceMember(test, 'admin');
    const path = `/instances/${admin.instanceId}`;
    const { token, ...made } = await tokensOf(path).make(admin.token, body);
    const owner = await makeUser(test);
    const org = await makeOrg(test, owner.token);
    const application = await makeApplication(test, owner.token, { orgId: org.id });
    return { ...tokensOf(path), admin, path, token: token as string, made, owner, org, application };
  }

  it('has access to the instance and its organizations', async () => {
    const { path, token, org } = await governed();
    for (const at of ['', '/tokens', '/members', '/orgs', `/orgs/${org.id}`])
      expect([at, (await test.client.get(path + at, { token })).status]).toEqual([at, 200]);
  });

  it('has no access below its organizations or outside the instance', async () => {
    const { token, org, application } = await governed();
    const beside = await makeInstance(test);
    for (const [path, status] of [
      [`/applications/${application.id}`, 403],
      [`/applications/${application.id}/tokens`, 403],
      ['/applications', 403],
      [`/orgs/${org.id}`, 403],
      ['/orgs', 403],
      ['/me', 403],
      ['/me/tokens', 403],
      [`/instances/${beside.id}`, 404],
      [`/instances/${beside.id}/tokens`, 404],
      [`/instances/${beside.id}/orgs/${org.id}`, 404],
      [`/instances/${UNKNOWN}`, 404],
    ] as const)
      expect([path, (await test.client.get(path, { token })).status]).toEqual([path, status]);
  });

  it('has no access below its organizations, regardless of its scopes', async () => {
    const { token, made, org, application } = await governed();
    await widen(made.id);
    const get = (at: string) => test.client.get(at, { token });
    for (const [path, status] of [
      [`/applications/${application.id}`, 404],
      [`/applications/${application.id}/tokens`, 404],
      [`/orgs/${org.id}`, 404],
      ['/me', 403],
    ] as const)
      expect([path, (await get(path)).status]).toEqual([path, status]);
    expect((await get('/applications')).body.items).toEqual([]);
    expect((await get('/orgs')).body.items).toEqual([]);
    const posted = await test.client.post('/applications', { name: uniqueName(), orgId: org.id }, { token });
    expect([403, 404]).toContain(posted.status);
    expect((await test.client.post('/orgs', { name: uniqueName() }, { token })).status).toBe(403);
  });

  it('is limited to its role', async () => {
    const { path, token } = await governed({ defaultRole: 'view' });
    expect((await test.client.get(path, { token })).status).toBe(200);
    expect((await test.client.patch(path, { name: 'eve' }, { token })).status).toBe(403);
  });

  it('is limited or rejected in every process immediately when it is deactivated, capped or deleted', async () => {
    const { admin, path, token, made, patch, remove } = await governed();
    expect(await everywhere(token, path)).toEqual([200, 200]);
    await patch(admin.token, made.id, { status: 'inactive' });
    expect(await everywhere(token, path)).toEqual([401, 401]);
    await patch(admin.token, made.id, { status: 'active' });
    expect(await everywhere(token, path)).toEqual([200, 200]);
    await patch(admin.token, made.id, { defaultRole: 'none' });
    expect(await everywhere(token, path)).toEqual([404, 404]);
    await patch(admin.token, made.id, { defaultRole: 'admin' });
    expect(await everywhere(token, path)).toEqual([200, 200]);
    await remove(admin.token, made.id);
    expect(await everywhere(token, path)).toEqual([401, 401]);
  });
});
