import { CONFIGS, credentialOf } from '../../../../test/make/credentials.js';
import { makeApplication, makeMember, makeOrg, tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { CREDENTIAL_TYPES } from './credential-types.js';

const { test, user, application } = suite();
let path: string;

beforeEach(() => {
  path = `/applications/${application.id}/credentials`;
});

const create = (body: object, token = user.token) => test.client.post(path, body, { token });

describe('A credential', () => {
  it.each(CREDENTIAL_TYPES)('of the type %s is created, and its secrets are never returned', async (type) => {
    const { status, body } = await create(credentialOf(type));
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: type, type, enabled: true, createdById: user.id });
    expect(body[`${type}Config`]).toMatchObject(CONFIGS[type]!.shown);
    const own = await test.client.get(`${path}/${body.id}`, { token: user.token });
    expect(own.body).toEqual(body);
    const list = await test.client.get(path, { token: user.token });
    expect(list.body.items).toEqual([body]);
    const rows = await test.dataSource.query('SELECT * FROM credentials WHERE id = $1', [body.id]);
    for (const [name, secret] of Object.entries(CONFIGS[type]!.secret)) {
      const unseen = secret.includes('hidden') ? `hidden-${type}` : secret.split('\n')[2]!;
      expect(body[`${type}Config`]).not.toHaveProperty(name);
      for (const kept of [body, list.body, rows, test.log])
        expect(JSON.stringify(kept)).not.toContain(unseen);
    }
  });

  it.each(CREDENTIAL_TYPES)('of the type %s requires the configuration of its type', async (type) => {
    const { status, body } = await create({ name: 'a', type });
    expect([status, body.message]).toEqual([400, `credential.${type}Config is required`]);
  });

  it.each([
    [{ type: 'loggly' }, 'credential.name is required'],
    [{ name: 'a' }, 'credential.type is required'],
    [{ ...credentialOf('loggly'), name: '' }, 'credential.name must have at least 1 characters'],
    [
      { ...credentialOf('loggly'), type: 'jwt' },
      'credential.logglyConfig does not apply to a credential of the type jwt',
    ],
    [
      { ...credentialOf('loggly'), ...credentialOf('jwt') },
      'credential.jwtConfig cannot be combined with credential.logglyConfig',
    ],
    [{ ...credentialOf('loggly'), logglyConfig: {} }, 'credential.logglyConfig.customerToken is required'],
    [
      { ...credentialOf('loggly'), logglyConfig: { customerToken: 'a', other: 1 } },
      'credential.logglyConfig.other is not a property of credential.logglyConfig',
    ],
  ])('is rejected with the body %j', async (body, message) => {
    const { status, body: answer } = await create(body);
    expect([status, answer]).toEqual([400, { type: 'Validation', message }]);
  });

  it('has a name that is unique within the application', async () => {
    await create(credentialOf('loggly', 'Logs'));
    const refused = await create(credentialOf('jwt', 'Logs'));
    expect([refused.status, refused.body.message]).toEqual([400, 'credential.name is not available']);
    const other = await makeApplication(test, user.token);
    path = `/applications/${other.id}/credentials`;
    expect((await create(credentialOf('jwt', 'Logs'))).status).toBe(201);
  });

  it('is deleted', async () => {
    const { body } = await create(credentialOf('loggly'));
    const own = `${path}/${body.id}`;
    expect((await test.client.delete(own, { token: user.token })).body).toEqual({ success: true });
    expect((await test.client.get(own, { token: user.token })).status).toBe(404);
  });
});

describe('GET credentials of an application', () => {
  it('paginates, sorts and filters', async () => {
    for (const type of ['sql', 'jwt', 'loggly']) await create(credentialOf(type, `my ${type}`));
    const get = async (query: string) =>
      (await test.client.get(`${path}?${query}`, { token: user.token })).body;
    const byType = await get('sortField=type&sortDirection=asc&perPage=2');
    expect(byType).toMatchObject({ items: [{ type: 'jwt' }, { type: 'loggly' }], count: 2, totalCount: 3 });
    const filtered = await get('filterField=type&filter=s*');
    expect(filtered).toMatchObject({
      items: [{ name: 'my sql' }],
      totalCount: 1,
      applicationId: application.id,
    });
  });

  it('requires `view` to read and `collaborate` to create', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    path = `/applications/${id}/credentials`;
    const statuses = await Promise.all(
      (['none', 'view', 'collaborate'] as const).map(async (role) => {
        const { token } = await makeMember(test, org.id, role);
        const read = await test.client.get(path, { token });
        return [read.status, (await create(credentialOf('loggly', role), token)).status];
      }),
    );
    expect(statuses).toEqual([
      [404, 404],
      [200, 403],
      [200, 201],
    ]);
  });

  it.each([
    [undefined, 401, 401],
    ['credentials.get', 200, 403],
    ['credentials.*', 200, 201],
    ['credential.get', 403, 403],
    ['all.User.read', 200, 403],
    ['all.Application', 200, 201],
  ])('with the scope %s, answers reads with %i and creations with %i', async (scope, read, written) => {
    const token = scope && tokenOf(test, user.id, [scope]);
    expect((await test.client.get(path, { token })).status).toBe(read);
    expect((await test.client.post(path, credentialOf('loggly'), { token })).status).toBe(written);
  });
});
