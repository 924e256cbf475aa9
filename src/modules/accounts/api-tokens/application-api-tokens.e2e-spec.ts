import { applicationTokensIn } from '../../../../test/make/api-tokens.js';
import { makeApplication, tokenOf } from '../../../../test/make/make.js';
import { makeApiToken } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';

const { test } = suite();
const { tokensOf, sandboxed, organized } = applicationTokensIn(test);

describe('GET /applications/:applicationId/tokens', () => {
  it('returns the tokens of the application, sorted by name', async () => {
    const { user, application, make, list } = await sandboxed();
    const other = await makeApplication(test, user.token);
    await tokensOf(other.id).make(user.token);
    await makeApiToken(test, user.token);
    for (const name of ['b', 'c', 'a']) await make(user.token, { name });
    const { status, body } = await list(user.token);
    expect(status).toBe(200);
    expect(body).toEqual({
      items: expect.any(Array),
      count: 3,
      totalCount: 3,
      page: 0,
      perPage: 100,
      sortField: 'name',
      sortDirection: 'asc',
      ownerId: application.id,
      ownerType: 'application',
    });
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('supports sorting, filtering and paging', async () => {
    const { user, make, list, patch } = await sandboxed();
    const [a] = [await make(user.token, { name: 'pump a' }), await make(user.token, { name: 'lamp' })];
    await patch(user.token, a.id, { status: 'inactive' });
    const names = async (query: string) =>
      (await list(user.token, query)).body.items.map(({ name }: { name: string }) => name);
    expect(await names('?filter=pump*')).toEqual(['pump a']);
    expect(await names('?filterField=status&filter=active')).toEqual(['lamp']);
    expect(await names('?sortField=creationDate')).toEqual(['pump a', 'lamp']);
    expect(await names('?sortDirection=desc&perPage=1')).toEqual(['pump a']);
    expect((await list(user.token, '?sortField=scope')).status).toBe(400);
  });

  it.each([
    ['view', 200],
    ['none', 404],
  ] as const)('called by a member with the role %s returns %i', async (role, status) => {
    const { member, list } = await organized();
    expect((await list((await member(role)).token)).status).toBe(status);
  });

  it.each([
    ['all.User.read', 200],
    ['all.User.bounded', 200],
    ['all.Organization.read', 200],
    ['all.Application.bounded', 200],
    ['applicationApiTokens.get', 200],
    ['all.Application.cli', 403],
    ['all.Device', 403],
    ['applicationApiToken.get', 403],
    ['application.get', 403],
  ])('called with the scope %s returns %i', async (scope, status) => {
    const { user, list } = await sandboxed();
    expect((await list(tokenOf(test, user.id, [scope]))).status).toBe(status);
  });
});

describe('API tokens of an application', () => {
  it('are counted in the summaries of the application and its organization', async () => {
    const { admin, org, application, make, remove } = await organized();
    const counts = async () => {
      const query = '?summaryInclude=apiTokenCount';
      const answers = await Promise.all([
        test.client.get(`/applications/${application.id}${query}`, { token: admin.token }),
        test.client.get(`/applications${query}&orgId=${org.id}`, { token: admin.token }),
        test.client.get(`/orgs/${org.id}${query}`, { token: admin.token }),
      ]);
      const [one, all, owner] = answers.map(({ body }) => body);
      return [one, all.items[0], owner].map(({ summary }) => summary.apiTokenCount);
    };
    expect(await counts()).toEqual([0, 0, 0]);
    const made = await make(admin.token);
    await make(admin.token);
    expect(await counts()).toEqual([2, 2, 2]);
    await remove(admin.token, made.id);
    expect(await counts()).toEqual([1, 1, 1]);
    const second = await makeApplication(test, admin.token, { orgId: org.id });
    await tokensOf(second.id).make(admin.token);
    expect(await counts().then((all) => all[2])).toBe(2);
    await test.client.delete(`/applications/${second.id}`, { token: admin.token });
    expect(await counts().then((all) => all[2])).toBe(1);
  });
});
