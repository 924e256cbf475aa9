import { makeApplication, makeMember, makeOrg, makeUser, uniqueName } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

describe('A list of applications', () => {
  const { test } = suite();

  const list = (token: string, query = '') => test.client.get(`/applications${query}`, { token });
  const namesOf = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name);

  describe('includes the applications of one owner or of all owners', () => {
    async function twoPlaces() {
      const { id, token } = await makeUser(test);
      const org = await makeOrg(test, token, { name: 'North "Field"', iconColor: '#4CAF50' });
      await makeApplication(test, token, { name: 'mine' });
      await makeApplication(test, token, { name: 'ours', orgId: org.id });
      return { id, token, org };
    }

    it('as selected by orgId: all if absent, the sandbox if blank, otherwise the organization', async () => {
      const { token, org } = await twoPlaces();
      expect(namesOf((await list(token)).body)).toEqual(['mine', 'ours']);
      expect(namesOf((await list(token, '?orgId=')).body)).toEqual(['mine']);
      expect(namesOf((await list(token, `?orgId=${org.id}`)).body)).toEqual(['ours']);
      expect(namesOf((await list(token, `?orgId=${org.id.toUpperCase()}`)).body)).toEqual(['ours']);
    });

    it('with the name and color of the organization, if any', async () => {
      const { token, org } = await twoPlaces();
      const [mine, ours] = (await list(token)).body.items;
      expect(mine).not.toHaveProperty('organizationName');
      expect(ours).toMatchObject({
        ownerId: org.id,
        ownerType: 'organization',
        organizationName: 'North "Field"',
        organizationIconColor: '#4CAF50',
      });
    });

    it('and is empty for an organization that is inaccessible or does not exist', async () => {
      const { org } = await twoPlaces();
      const { token } = await makeUser(test);
      for (const id of [org.id, newId()]) {
        const { status, body } = await list(token, `?orgId=${id}`);
        expect(status).toBe(200);
        expect(body).toMatchObject({ items: [], count: 0, totalCount: 0 });
      }
    });
  });

  describe('shows only accessible applications', () => {
    it.each(['view', 'collaborate', 'edit', 'admin'] as const)(
      'all of an organization to a member with the role %s',
      async (role) => {
        const owner = await makeUser(test);
        const org = await makeOrg(test, owner.token);
        await makeApplication(test, owner.token, { name: 'ours', orgId: org.id });
        const { token } = await makeMember(test, org.id, role);
        for (const query of ['', `?orgId=${org.id}`]) {
          expect((await list(token, query)).body).toMatchObject({ totalCount: 1, items: [{ name: 'ours' }] });
        }
      },
    );

    it('according to roles on individual applications, which can grant or remove access', async () => {
      const owner = await makeUser(test);
      const org = await makeOrg(test, owner.token);
      const [a] = await Promise.all(
        [...'ab'].map((name) => makeApplication(test, owner.token, { name, orgId: org.id })),
      );
      const nobody = await makeMember(test, org.id, 'none');
      const guest = await makeMember(test, org.id, 'none', {
        applicationRoles: [{ resourceId: a.id, role: 'view' }],
      });
      const most = await makeMember(test, org.id, 'admin', {
        applicationRoles: [{ resourceId: a.id, role: 'none' }],
      });
      for (const query of ['', `?orgId=${org.id}`, `?orgId=${org.id}&filter=*&perPage=1`]) {
        expect((await list(nobody.token, query)).body).toMatchObject({ items: [], totalCount: 0 });
        expect((await list(guest.token, query)).body).toMatchObject({
          items: [{ name: 'a' }],
          totalCount: 1,
        });
        expect((await list(most.token, query)).body).toMatchObject({ items: [{ name: 'b' }], totalCount: 1 });
      }
    });

    it('and ignores a role on an application of another owner', async () => {
      const victim = await makeUser(test);
      const target = await makeApplication(test, victim.token);
      const owner = await makeUser(test);
      const org = await makeOrg(test, owner.token);
      const attacker = await makeMember(test, org.id, 'admin', {
        applicationRoles: [{ resourceId: target.id, role: 'collaborate' }],
      });
      for (const query of ['', `?orgId=${org.id}`, `?orgId=${victim.id}`])
        expect((await list(attacker.token, query)).body.totalCount).toBe(0);
      const changed = await test.client.patch(
        `/applications/${target.id}`,
        { name: 'taken' },
        { token: attacker.token },
      );
      expect(changed.status).toBe(404);
    });

    it('and ignores roles of an API token on an application of another owner', async () => {
      const victim = await makeUser(test);
      const target = await makeApplication(test, victim.token);
      const { token } = await makeUser(test);
      const applicationRoles = [{ resourceId: target.id, role: 'collaborate' }];
      const made = await test.client.post(
        '/me/tokens',
        { name: uniqueName(), orgRoles: [{ orgId: 'sandbox', role: 'admin', applicationRoles }] },
        { token },
      );
      expect(made.status).toBe(201);
      expect((await list(made.body.token)).body.totalCount).toBe(0);
      const path = `/applications/${target.id}`;
      expect((await test.client.patch(path, { name: 'taken' }, { token: made.body.token })).status).toBe(404);
      expect((await test.client.get(path, { token: victim.token })).body.name).toBe(target.name);
    });
  });
});
