import { makeApplication, makeMember, makeOrg, tokenOf } from '../../../../test/make/make.js';
import { makeApiToken } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { org, transfersIn, user } from '../../../../test/make/transfers.js';
import { newId } from '../../../platform/repositories/resource.js';
import { Org } from '../orgs/org.resource.js';

const { test } = suite();

const { transfer, ownerOf, makeAdmin, makeApplicationToken } = transfersIn(() => test);

describe('A transfer', () => {
  describe('requires the role admin', () => {
    it.each([
      ['none', 404],
      ['view', 403],
      ['collaborate', 403],
      ['edit', 403],
      ['admin', 200],
    ] as const)('at the source and the destination: with %s returns %i', async (role, expected) => {
      const { token, one, two } = await makeAdmin();
      const member = await makeMember(test, one.id, role);
      const mine = org((await makeOrg(test, member.token)).id);
      const { id } = await makeApplication(test, token, { orgId: one.id });
      const taken = await transfer(member.token, one, mine, [id]);
      expect(taken.status).toBe(expected);
      expect(await ownerOf(id)).toEqual(expected === 200 ? mine : one);
      const own = await makeApplication(test, member.token);
      const given = await transfer(member.token, user(member.id), one, [own.id]);
      expect(given.status).toBe(expected);
      if (expected === 404) expect(given.body.message).toBe('Organization was not found');
      expect(await ownerOf(own.id)).toEqual(expected === 200 ? one : user(member.id));
      expect((await transfer(member.token, user(member.id), two, [own.id])).status).toBe(404);
    });

    it('and does not accept sandboxes of other users', async () => {
      const { token, one, sandbox } = await makeAdmin();
      const { id: memberId } = await makeMember(test, one.id, 'admin');
      const { id } = await makeApplication(test, token, { orgId: one.id });
      for (const to of [memberId, newId(), one.id]) {
        const { status, body } = await transfer(token, one, user(to), [id]);
        expect({ status, body }).toEqual({
          status: 404,
          body: { type: 'NotFound', message: 'User was not found' },
        });
      }
      const own = await makeApplication(test, token);
      expect((await transfer(token, sandbox, user(memberId), [own.id])).status).toBe(404);
      expect((await transfer(token, sandbox, org(sandbox.id), [own.id])).status).toBe(404);
      expect(await ownerOf(id)).toEqual(one);
    });

    it('on each application', async () => {
      const { token, one, two } = await makeAdmin();
      const [hidden, shared] = [
        await makeApplication(test, token, { orgId: one.id }),
        await makeApplication(test, token, { orgId: one.id }),
      ];
      const { token: limited } = await makeMember(test, one.id, 'admin', {
        applicationRoles: [
          { resourceId: hidden.id, role: 'none' },
          { resourceId: shared.id, role: 'collaborate' },
        ],
      });
      const mine = org((await makeOrg(test, limited)).id);
      expect((await transfer(limited, one, mine, [shared.id])).status).toBe(403);
      expect((await transfer(limited, one, mine, [hidden.id], { strict: true })).status).toBe(400);
      expect((await transfer(limited, one, mine, [hidden.id])).status).toBe(200);
      expect([await ownerOf(hidden.id), await ownerOf(shared.id)]).toEqual([one, one]);
      expect((await transfer(limited, one, two, [])).status).toBe(404);
    });

    it('of an API token too', async () => {
      const { token, one, two, sandbox } = await makeAdmin();
      const own = await makeApplication(test, token);
      const { id } = await makeApplication(test, token, { orgId: one.id });
      const capped = async (orgRoles: object[]) => (await makeApiToken(test, token, { orgRoles })).token;
      const view = await capped([{ orgId: two.id, role: 'view' }]);
      expect((await transfer(view, one, two, [id])).status).toBe(403);
      expect((await transfer(view, sandbox, two, [own.id])).status).toBe(403);
      const closed = await capped([{ orgId: 'sandbox', role: 'edit' }]);
      expect((await transfer(closed, sandbox, two, [own.id])).status).toBe(403);
      expect((await transfer(closed, one, sandbox, [id])).status).toBe(403);
      expect((await transfer(closed, one, two, [id])).status).toBe(200);
    });

    it('and a sufficient scope of a user', async () => {
      const { id: userId, token, one, sandbox } = await makeAdmin();
      for (const [scope, ofUser, ofOrganization] of [
        ['all.User', 200, 200],
        ['only.User', 200, 403],
        ['only.Organization', 403, 200],
        ['all.Organization', 403, 200],
        ['me.transferResources', 200, 403],
        ['org.transferResources', 403, 200],
        ['all.User.bounded', 403, 403],
        ['all.Organization.bounded', 403, 403],
        ['all.User.read', 403, 403],
      ] as const) {
        const limited = tokenOf(test, userId, [scope]);
        const statuses = [
          (await transfer(limited, sandbox, one, [])).status,
          (await transfer(limited, one, sandbox, [])).status,
        ];
        expect({ scope, statuses }).toEqual({ scope, statuses: [ofUser, ofOrganization] });
      }
      const { id } = await makeApplication(test, token);
      const own = await makeApplicationToken(id, token);
      expect((await transfer(own, sandbox, one, [id])).status).toBe(403);
      expect((await transfer(own, one, sandbox, [id])).status).toBe(403);
      const path = '/me/transferResources';
      expect((await test.client.patch(path, { destinationId: one.id, destinationType: 'user' })).status).toBe(
        401,
      );
    });
  });

  it.each([
    ['destinationId', { destinationType: 'user' }],
    ['destinationId', { destinationId: 'x', destinationType: 'user' }],
    ['destinationType', { destinationId: newId() }],
    ['destinationType', { destinationId: newId(), destinationType: 'instance' }],
    ['applicationIds', { destinationId: newId(), destinationType: 'user', applicationIds: ['x'] }],
    ['strict', { destinationId: newId(), destinationType: 'user', strict: 'yes' }],
    ['flowIds', { destinationId: newId(), destinationType: 'user', flowIds: [] }],
  ])('is rejected for %s in %j', async (property, body) => {
    const { token, one } = await makeAdmin();
    for (const path of ['/me/transferResources', `/orgs/${one.id}/transferResources`]) {
      const answer = await test.client.patch(path, body, { token });
      expect(answer.status).toBe(400);
      expect(answer.body.message.startsWith(`resourceTransfer.${property}`)).toBe(true);
    }
  });

  it('to the current owner is rejected', async () => {
    const { token, one, sandbox } = await makeAdmin();
    for (const owner of [one, sandbox]) {
      const { status, body } = await transfer(token, owner, owner, []);
      expect(status).toBe(400);
      expect(body.message).toBe('resourceTransfer.destinationId is already the owner');
    }
  });

  it('to or from a read-only organization is rejected', async () => {
    const { token, one, two } = await makeAdmin();
    const { id } = await makeApplication(test, token, { orgId: one.id });
    await test.dataSource.manager.update(Org, { id: two.id }, { isReadOnly: true });
    const fresh = await makeMember(test, one.id, 'admin');
    await test.dataSource.query(
      `INSERT INTO org_members (org_id, user_id, role, creation_date) VALUES ($1, $2, 'admin', now())`,
      [two.id, fresh.id],
    );
    expect((await transfer(fresh.token, one, two, [id])).status).toBe(403);
    expect((await transfer(fresh.token, two, one, [])).status).toBe(403);
  });
});
