import type { TestApp } from '../../../../test/setup/app.js';
import { makeApplication, makeMember, makeOrg, makeUser } from '../../../../test/make/make.js';
import { claimsOf } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { org, transfersIn } from '../../../../test/make/transfers.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { AccessCache } from '../../../platform/access/access-cache.js';
import { newId } from '../../../platform/repositories/resource.js';
import { Org } from '../orgs/org.resource.js';
import { User } from '../users/user.entity.js';

const { test, other } = suite();

const { transfer, ownerOf, makeAdmin, makeApplicationToken } = transfersIn(() => test);
const entriesOf = (orgId: string): Promise<any[]> =>
  test.dataSource.query(
    `SELECT * FROM audit_logs WHERE org_id = $1 AND request_action = 'transferResources' ORDER BY id`,
    [orgId],
  );
const setLimit = (entity: typeof User | typeof Org, id: string, application: number) =>
  test.dataSource.manager.update(entity, { id }, { limits: { application } });
/** Sends a request while a change is uncommitted, and commits once the request is waiting for it. */
async function during<T>(change: string, values: unknown[], request: () => Promise<T>): Promise<T> {
  const runner = test.dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query(change, values);
    const answer = request();
    const waits = waitUntil(async () => {
      const blocked = `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
      return (await test.dataSource.query(blocked)).length > 0;
    });
    await Promise.race([answer, waits]);
    await runner.commitTransaction();
    return await answer;
  } finally {
    await runner.release();
  }
}

/** Returns the status from each process, the second one first because it only learns of changes through messages. */
async function statusesOf(path: string, token: string): Promise<number[]> {
  const statuses = [];
  for (const { client } of [other, test]) statuses.push((await client.get(path, { token })).status);
  return statuses;
}

describe('A transfer', () => {
  it('moves applications from a sandbox to an organization, between organizations, and back to the sandbox', async () => {
    const { token, one, two, sandbox } = await makeAdmin();
    const [first, second, kept] = [
      await makeApplication(test, token),
      await makeApplication(test, token),
      await makeApplication(test, token),
    ];
    const ids = [first.id, second.id];
    let from = sandbox;
    for (const to of [one, two, sandbox]) {
      const { status, body } = await transfer(token, from, to, ids);
      expect({ status, body }).toEqual({ status: 200, body: { success: true } });
      for (const id of ids) {
        const application = (await test.client.get(`/applications/${id}`, { token })).body;
        expect(application).toMatchObject({ ownerId: to.id, ownerType: to.type });
        expect(Date.parse(application.lastUpdated)).toBeGreaterThan(Date.parse(first.lastUpdated));
        expect('organizationName' in application).toBe(to.type === 'organization');
      }
      from = to;
    }
    expect(await ownerOf(kept.id)).toEqual(sandbox);
  });

  it('accepts upper-case and duplicate IDs', async () => {
    const { token, one, two } = await makeAdmin();
    const { id } = await makeApplication(test, token, { orgId: one.id });
    const to = org(two.id.toUpperCase());
    const answer = await transfer(token, org(one.id.toUpperCase()), to, [id.toUpperCase(), id], {
      strict: true,
    });
    expect(answer.status).toBe(200);
    expect(await ownerOf(id)).toEqual(two);
    expect(await entriesOf(two.id)).toHaveLength(1);
  });

  it('without IDs succeeds immediately', async () => {
    const { token, one, sandbox } = await makeAdmin();
    const body = { destinationId: one.id, destinationType: 'organization' };
    expect((await test.client.patch('/me/transferResources', body, { token })).status).toBe(200);
    expect((await transfer(token, sandbox, one, [], { strict: true })).status).toBe(200);
  });

  it('takes effect immediately in every process for members, guests and tokens of the application', async () => {
    const { token, one, two } = await makeAdmin();
    const { id } = await makeApplication(test, token, { orgId: one.id });
    const path = `/applications/${id}/readme`;
    const loser = await makeMember(test, one.id, 'admin');
    const winner = await makeMember(test, two.id, 'view');
    const guest = await makeMember(test, one.id, 'none', {
      applicationRoles: [{ resourceId: id, role: 'collaborate' }],
    });
    const own = await makeApplicationToken(id, token);
    expect(await statusesOf(path, loser.token)).toEqual([200, 200]);
    expect(await statusesOf(path, guest.token)).toEqual([200, 200]);
    expect(await statusesOf(path, winner.token)).toEqual([404, 404]);
    expect(await statusesOf(path, own)).toEqual([200, 200]);
    expect((await transfer(token, one, two, [id])).status).toBe(200);
    expect(await statusesOf(path, loser.token)).toEqual([404, 404]);
    expect(await statusesOf(path, guest.token)).toEqual([404, 404]);
    expect(await statusesOf(path, winner.token)).toEqual([200, 200]);
    expect(await statusesOf(path, own)).toEqual([200, 200]);
    await test.dataSource.manager.update(Org, { id: one.id }, { isReadOnly: true });
    for (const { client } of [other, test])
      expect((await client.patch(path, { content: 'c' }, { token: own })).status).toBe(200);
  });

  it('applies the rules of the new owner to the tokens of the application', async () => {
    const { token, one, two } = await makeAdmin();
    await test.dataSource.manager.update(Org, { id: one.id }, { isReadOnly: true });
    const { id } = await makeApplication(test, token, { orgId: two.id });
    const own = await makeApplicationToken(id, token);
    const write = (app: TestApp) =>
      app.client.patch(`/applications/${id}`, { description: 'd' }, { token: own });
    for (const app of [other, test]) expect((await write(app)).status).toBe(200);
    await test.dataSource.manager.update(Org, { id: one.id }, { isReadOnly: false });
    await test.app.get(AccessCache).evict(claimsOf(token).sub);
    expect((await transfer(token, two, one, [id])).status).toBe(200);
    await test.dataSource.manager.update(Org, { id: one.id }, { isReadOnly: true });
    for (const app of [other, test]) expect((await write(app)).status).toBe(403);
  });

  describe('with IDs that do not belong to the current owner', () => {
    async function makeMixed() {
      const admin = await makeAdmin();
      const { token, one, two } = admin;
      const stranger = await makeUser(test);
      const own = await makeApplication(test, token, { orgId: one.id });
      const gone = await makeApplication(test, token, { orgId: one.id });
      await test.client.delete(`/applications/${gone.id}`, { token });
      const strange = [
        newId(),
        gone.id,
        (await makeApplication(test, token, { orgId: two.id })).id,
        (await makeApplication(test, token)).id,
        (await makeApplication(test, stranger.token)).id,
      ];
      return { ...admin, own, strange, three: org((await makeOrg(test, token)).id) };
    }

    it('skips them when not strict', async () => {
      const { token, one, three, own, strange } = await makeMixed();
      const before = await Promise.all(strange.slice(2).map(ownerOf));
      for (const strict of [undefined, false]) {
        const answer = await transfer(token, one, three, [...strange, own.id], { strict });
        expect(answer.status).toBe(200);
      }
      expect(await ownerOf(own.id)).toEqual(three);
      expect(await Promise.all(strange.slice(2).map(ownerOf))).toEqual(before);
    });

    it('moves nothing and names the first one when strict', async () => {
      const { token, one, three, own, strange } = await makeMixed();
      for (const id of strange) {
        const { status, body } = await transfer(token, one, three, [own.id, id], { strict: true });
        expect({ status, body }).toEqual({
          status: 400,
          body: {
            type: 'Validation',
            message: `resourceTransfer.applicationIds: ${id} is not an application of the current owner`,
          },
        });
      }
      expect(await ownerOf(own.id)).toEqual(one);
      expect(await entriesOf(three.id)).toEqual([]);
    });

    it('does not find any dashboards', async () => {
      const { token, one, three, own } = await makeMixed();
      const dashboardIds = [newId()];
      const strict = await transfer(token, one, three, [own.id], { dashboardIds, strict: true });
      expect(strict.status).toBe(400);
      expect(strict.body.message).toContain(dashboardIds[0]);
      expect(await ownerOf(own.id)).toEqual(one);
      expect((await transfer(token, one, three, [own.id], { dashboardIds })).status).toBe(200);
      expect(await ownerOf(own.id)).toEqual(three);
    });
  });

  it('includes the archive settings with their secrets, but not to a sandbox', async () => {
    const { token, one, two, sandbox } = await makeAdmin();
    const { id } = await makeApplication(test, token, { orgId: one.id });
    await test.dataSource.query(
      'UPDATE applications SET archive_config = $2, archive_secrets = $3 WHERE id = $1',
      [id, { s3: { bucket: 'pump-archive' } }, 'sealed'],
    );
    const stored = async () =>
      (
        await test.dataSource.query(
          'SELECT archive_config, archive_secrets FROM applications WHERE id = $1',
          [id],
        )
      )[0];
    const before = await stored();
    expect(before.archive_secrets).toBeTruthy();
    const refused = await transfer(token, one, sandbox, [id]);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain(`${id} archives its data`);
    expect(await ownerOf(id)).toEqual(one);
    expect((await transfer(token, one, two, [id])).status).toBe(200);
    expect(await stored()).toEqual(before);
  });

  describe('within the limits of the new owner', () => {
    it.each(['organization', 'user'] as const)('moves all applications or none: %s', async (type) => {
      const { token, one, two, sandbox } = await makeAdmin();
      const [from, to] = type === 'user' ? [one, sandbox] : [sandbox, two];
      const orgId = from.type === 'organization' ? from.id : undefined;
      const ids = [];
      for (let i = 0; i < 3; i++) ids.push((await makeApplication(test, token, { orgId })).id);
      await setLimit(type === 'user' ? User : Org, to.id, 2);
      const { status, body } = await transfer(token, from, to, ids);
      expect({ status, body }).toEqual({
        status: 400,
        body: { type: 'Validation', message: 'The limit of 2 applications is reached' },
      });
      for (const id of ids) expect(await ownerOf(id)).toEqual(from);
      expect((await transfer(token, from, to, ids.slice(0, 2))).status).toBe(200);
      expect((await transfer(token, from, to, ids)).status).toBe(400);
      expect(await ownerOf(ids[2])).toEqual(from);
    });

    it('applies them to concurrent transfers', async () => {
      const { token, two, sandbox } = await makeAdmin();
      const ids: string[] = [];
      for (let i = 0; i < 6; i++) ids.push((await makeApplication(test, token)).id);
      await setLimit(Org, two.id, 2);
      const answers = await Promise.all(ids.map((id) => transfer(token, sandbox, two, [id])));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400, 400]);
    });
  });

  describe('concurrent with other changes', () => {
    it('moves applications to only one of two new owners', async () => {
      const { token, one, two, sandbox } = await makeAdmin();
      const ids: string[] = [];
      for (let i = 0; i < 4; i++) ids.push((await makeApplication(test, token)).id);
      const answers = await Promise.all(
        [one, two, one, two, one, two].map((to, i) =>
          transfer(token, sandbox, to, i % 2 ? ids.toReversed() : ids, { strict: true }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
      const owners = await Promise.all(ids.map(ownerOf));
      expect(new Set(owners.map(({ id }) => id)).size).toBe(1);
      const entries = [...(await entriesOf(one.id)), ...(await entriesOf(two.id))];
      expect(entries).toHaveLength(4);
    });

    it('in opposite directions moves each application once', async () => {
      const { token, one, two } = await makeAdmin();
      const make = async (orgId: string) => (await makeApplication(test, token, { orgId })).id as string;
      const [mine, yours] = [
        [await make(one.id), await make(one.id)],
        [await make(two.id), await make(two.id)],
      ];
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, () => transfer(token, one, two, mine, { strict: true })),
        ...Array.from({ length: 5 }, () => transfer(token, two, one, yours, { strict: true })),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
      for (const id of mine) expect(await ownerOf(id)).toEqual(two);
      for (const id of yours) expect(await ownerOf(id)).toEqual(one);
    });

    it('does not move a deleted application', async () => {
      const { token, one, two } = await makeAdmin();
      for (let i = 0; i < 8; i++) {
        const { id } = await makeApplication(test, token, { orgId: one.id });
        const [moved, deleted] = await Promise.all([
          transfer(token, one, two, [id], { strict: true }),
          test.client.delete(`/applications/${id}`, { token }),
        ]);
        // The third result is a deletion after the move: the caller has access to both organizations.
        expect([
          [200, 404],
          [400, 200],
          [200, 200],
        ]).toContainEqual([moved.status, deleted.status]);
        const { status } = await test.client.get(`/applications/${id}`, { token });
        expect(status).toBe(deleted.status === 200 ? 404 : 200);
      }
    });

    it('prevents members of the former owner from deleting applications in transfer', async () => {
      const { token, one, two } = await makeAdmin();
      const member = await makeMember(test, one.id, 'edit');
      const { id } = await makeApplication(test, token, { orgId: one.id });
      const deleted = await during('UPDATE applications SET owner_id = $2 WHERE id = $1', [id, two.id], () =>
        test.client.delete(`/applications/${id}`, { token: member.token }),
      );
      expect(deleted.status).toBe(404);
      expect((await test.client.get(`/applications/${id}`, { token })).status).toBe(200);
    });

    it.each(['present', 'new'])('moves nothing if the %s owner is being deleted', async (which) => {
      const { token, one, two } = await makeAdmin();
      const { id } = await makeApplication(test, token, { orgId: one.id });
      const going = which === 'new' ? two : one;
      const moved = await during('UPDATE orgs SET deleted_at = now() WHERE id = $1', [going.id], () =>
        transfer(token, one, two, [id]),
      );
      expect({ status: moved.status, message: moved.body.message }).toEqual({
        status: 404,
        message: 'Organization was not found',
      });
      expect(await ownerOf(id)).toEqual(one);
    });
  });

  it('is recorded in the audit logs of both organizations, with an entry for each application', async () => {
    const { id: userId, email, token, one, two, sandbox } = await makeAdmin();
    const applications = [
      await makeApplication(test, token, { orgId: one.id }),
      await makeApplication(test, token, { orgId: one.id }),
    ];
    const ids = applications.map(({ id }) => id as string);
    await transfer(token, one, two, ids, { strict: true });
    for (const [orgId, resource] of [
      [one.id, 'org'],
      [two.id, 'org'],
    ]) {
      const entries = await entriesOf(orgId!);
      expect(entries).toHaveLength(2);
      for (const [i, { id, name }] of applications.entries())
        expect(entries[i]).toMatchObject({
          actor_id: userId,
          actor_name: email,
          request_resource: resource,
          request_path_params: { orgId: one.id },
          request_body: {
            destinationId: two.id,
            destinationType: 'organization',
            applicationIds: [id],
            strict: true,
          },
          primary_target_id: id,
          primary_target_type: 'Application',
          primary_target_name: name,
          secondary_target_id: null,
          response_body: { id },
          response_status: 200,
        });
    }
    await transfer(token, two, sandbox, [ids[0]!]);
    await transfer(token, sandbox, one, [ids[0]!]);
    expect(await entriesOf(two.id)).toHaveLength(3);
    const [, , back] = await entriesOf(one.id);
    expect(back).toMatchObject({ request_resource: 'me', primary_target_id: ids[0] });
  });
});
