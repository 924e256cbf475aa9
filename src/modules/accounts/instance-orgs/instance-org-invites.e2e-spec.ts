import { mailsTo } from '../../../../test/doubles/mails.js';
import {
  makeInstanceMember,
  makeMember,
  makeOrg,
  makeUser,
  tokenOf,
  uniqueName,
  type TestUser,
  makeInstance,
} from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { newId } from '../../../platform/repositories/resource.js';
import { INVITE_TTL_SECONDS } from '../../../platform/counts/summaries.js';

const MISSING = { type: 'NotFound', message: 'Invitation was not found' };
const address = () => `${uniqueName('guest')}@example.com`;

describe('Invitations to an organization, managed through its instance', () => {
  const { test } = suite();
  let admin: TestUser & { instanceId: string };
  let owner: TestUser;
  let org: any;
  let path: string;
  beforeAll(async () => {
    admin = await makeInstanceMember(test, 'admin', { firstName: 'Ada', lastName: 'Lovelace' });
  });
  beforeEach(async () => {
    owner = await makeUser(test);
    org = await makeOrg(test, owner.token);
    path = `/instances/${admin.instanceId}/orgs/${org.id}/invites`;
  });

  const list = (query = '', token = admin.token) => test.client.get(`${path}${query}`, { token });
  const invite = (body: object, token = admin.token) => test.client.post(path, body, { token });
  const get = (id: string, token = admin.token) => test.client.get(`${path}/${id}`, { token });
  const resend = (id: string, body: object = {}, token = admin.token) =>
    test.client.post(`${path}/${id}`, body, { token });
  const revoke = (id: string, token = admin.token) => test.client.delete(`${path}/${id}`, { token });
  async function make(body: object = {}): Promise<any> {
    const email = address();
    const answer = await invite({ email, role: 'view', ...body });
    expect(answer.status).toBe(201);
    return answer.body.items.find((item: { email: string }) => item.email === email);
  }
  /** Returns the token of each e-mail to an address, oldest first. */
  async function tokensOf(email: string, mails: number): Promise<string[]> {
    await waitUntil(async () => (await mailsTo(test, email)).length === mails);
    const texts = (await mailsTo(test, email)).map(({ text }) => text);
    return texts.map((text) => /"token":"([^"]+)"/.exec(text)![1]!);
  }

  it('can be read with the role view and created with the role admin, and return 404 to others', async () => {
    const { id } = await make();
    const viewer = await makeInstanceMember(test, 'view');
    for (const [token, read, written] of [
      [viewer.token, 200, 403],
      [owner.token, 404, 404],
      [undefined, 401, 401],
    ] as const) {
      const statuses = [];
      for (const [method, at, body] of [
        ['GET', path, undefined],
        ['GET', `${path}/${id}`, undefined],
        ['POST', path, { email: address(), role: 'view' }],
        ['POST', `${path}/${id}`, {}],
        ['DELETE', `${path}/${id}`, undefined],
      ] as const)
        statuses.push((await test.client.request(method, at, { token, body })).status);
      expect(statuses).toEqual([read, read, written, written, written]);
    }
    expect((await list()).body.items).toMatchObject([{ id }]);
  });

  it('require separate scopes', async () => {
    const { id } = await make();
    for (const [scope, listed, read, sent] of [
      ['instanceOrgInvites.get', 200, 403, 403],
      ['instanceOrgInvite.*', 403, 200, 201],
      ['instanceOrgInvite.resendInvite', 403, 403, 201],
      ['all.Instance', 200, 200, 201],
      ['all.Instance.read', 200, 200, 403],
      ['all.Instance.bounded', 200, 200, 403],
      ['all.Organization', 403, 403, 403],
    ] as const) {
      const token = tokenOf(test, admin.id, [scope]);
      const statuses = [
        (await list('', token)).status,
        (await get(id, token)).status,
        (await resend(id, {}, token)).status,
      ];
      expect({ scope, statuses }).toEqual({ scope, statuses: [listed, read, sent] });
    }
  });

  it('return 404 through another instance or organization', async () => {
    const { id } = await make();
    const { id: instanceId } = await makeInstance(test);
    const stranger = await makeInstanceMember(test, 'admin', { instanceId });
    const crossed = `/instances/${instanceId}/orgs/${org.id}/invites`;
    for (const at of [crossed, `${crossed}/${id}`]) {
      const { body } = await test.client.get(at, { token: stranger.token });
      expect(body).toEqual({ type: 'NotFound', message: 'Organization was not found' });
    }
    const other = await makeOrg(test, owner.token);
    const beside = `/instances/${admin.instanceId}/orgs/${other.id}/invites/${id}`;
    expect((await test.client.get(beside, { token: admin.token })).body).toEqual(MISSING);
    expect((await test.client.delete(beside, { token: admin.token })).body).toEqual(MISSING);
    expect((await test.client.post(beside, {}, { token: admin.token })).body).toEqual(MISSING);
    expect((await get(newId())).body).toEqual(MISSING);
    expect((await get('x')).status).toBe(400);
    expect((await get(id)).status).toBe(200);
  });

  it('are listed without paging, newest first, sorted and filtered', async () => {
    const [one, two] = [await make({ role: 'admin' }), await make({ role: 'edit' })];
    expect((await list()).body).toEqual({
      items: [two, one],
      count: 2,
      instanceId: admin.instanceId,
      orgId: org.id,
      sortField: 'inviteDate',
      sortDirection: 'desc',
    });
    expect((await list('?sortField=role&sortDirection=asc')).body.items).toEqual([one, two]);
    const byEmail = [one, two].sort((a, b) => (a.email < b.email ? -1 : 1));
    expect((await list('?sortField=email&sortDirection=asc')).body.items).toEqual(byEmail);
    expect((await list('?filterField=role&filter=E*')).body).toMatchObject({
      items: [two],
      filterField: 'role',
      filter: 'E*',
    });
    expect((await list(`?filter=${one.email}`)).body.items).toEqual([one]);
    for (const query of ['sortField=id', 'filterField=id', 'sortDirection=up'])
      expect((await list(`?${query}`)).status).toBe(400);
  });

  it('are sent by email and, when accepted, create a member with the given roles', async () => {
    const user = await makeUser(test);
    const applicationRoles = [{ resourceId: newId(), role: 'collaborate' }];
    const { status, body } = await invite({
      email: user.email.toUpperCase(),
      role: 'edit',
      applicationRoles,
    });
    expect(status).toBe(201);
    const [made] = body.items;
    expect(made).toEqual({
      id: expect.any(String),
      email: user.email,
      role: 'edit',
      applicationRoles,
      dashboardRoles: [],
      disallowTransfer: false,
      inviteDate: expect.any(String),
      ttl: INVITE_TTL_SECONDS,
      hasExpired: false,
    });
    expect((await get(made.id)).body).toEqual(made);
    const [token] = await tokensOf(user.email, 1);
    const [mail] = await mailsTo(test, user.email);
    expect(mail!.text).toContain(`Ada Lovelace <${admin.email}>`);
    const accepted = await test.client.post('/invites', { email: user.email, token, accept: true });
    expect(accepted.status).toBe(200);
    const member = await test.client.get(path.replace('/invites', `/members/${user.id}`), {
      token: admin.token,
    });
    expect(member.body).toMatchObject({ role: 'edit' });
    expect((await list()).body.items).toEqual([]);
  });

  it('are replaced for an address that was already invited, which invalidates the earlier email', async () => {
    const { id, email } = await make();
    const again = await invite({ email, role: 'admin' });
    expect(again.body.items).toMatchObject([{ id, email, role: 'admin' }]);
    const [first, second] = await tokensOf(email, 2);
    const look = (token: string) =>
      test.client.get(`/invites?${new URLSearchParams({ token, email }).toString()}`);
    expect((await look(second!)).status).toBe(200);
    expect([404, 410]).toContain((await look(first!)).status);
  });

  it('can be resent, with new roles if given', async () => {
    const made = await make({ dashboardRoles: [{ resourceId: newId(), role: 'view' }] });
    await test.dataSource.query(
      "UPDATE org_invites SET invite_date = now() - interval '8 days' WHERE id = $1",
      [made.id],
    );
    expect((await get(made.id)).body).toMatchObject({ hasExpired: true });
    const same = await resend(made.id);
    expect(same.status).toBe(201);
    expect(same.body).toEqual({ ...made, inviteDate: same.body.inviteDate });
    expect(Date.parse(same.body.inviteDate)).toBeGreaterThanOrEqual(Date.parse(made.inviteDate));
    const changed = await resend(made.id, { role: 'none', dashboardRoles: [] });
    expect(changed.body).toMatchObject({ id: made.id, role: 'none', dashboardRoles: [], hasExpired: false });
    const tokens = await tokensOf(made.email, 3);
    expect(new Set(tokens).size).toBe(3);
  });

  it('can be revoked', async () => {
    const { id, email } = await make();
    const [token] = await tokensOf(email, 1);
    expect(await revoke(id)).toMatchObject({ status: 200, body: { success: true } });
    expect((await get(id)).body).toEqual(MISSING);
    expect((await revoke(id)).body).toEqual(MISSING);
    expect((await resend(id)).body).toEqual(MISSING);
    const query = new URLSearchParams({ token: token!, email }).toString();
    expect([404, 410]).toContain((await test.client.get(`/invites?${query}`)).status);
  });

  it('are rejected for members, for other domains and above the limit', async () => {
    const member = await makeMember(test, org.id, 'none');
    expect((await invite({ email: member.email.toUpperCase(), role: 'view' })).status).toBe(400);
    await test.client.patch(
      path.replace('/invites', ''),
      { whitelistedEmailDomains: ['other.example'], limits: { member: 3 } },
      { token: admin.token },
    );
    expect((await invite({ email: address(), role: 'view' })).status).toBe(400);
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => invite({ email: `${uniqueName()}@other.example`, role: 'view' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect((await list()).body.count).toBe(1);
  });

  it.each<[string, object]>([
    ['email', { role: 'view' }],
    ['role', { email: 'a@example.com' }],
    ['email', { email: 'x', role: 'view' }],
    ['email', { email: 'a@example.com\r\nBcc: b@example.com', role: 'view' }],
    ['role', { email: 'a@example.com', role: 'owner' }],
    ['userId', { email: 'a@example.com', role: 'view', userId: newId() }],
  ])('are rejected for %s in %j', async (property, body) => {
    const answer = await invite(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message.startsWith(`invite.${property} `)).toBe(true);
    expect((await list()).body.items).toEqual([]);
  });

  it('are recorded in both audit logs when created, resent and revoked, without their secret', async () => {
    const { id, email } = await make();
    await resend(id, { role: 'edit' });
    await revoke(id);
    const [token] = await tokensOf(email, 2);
    const entries = async (table: string, rank: string): Promise<any[]> =>
      test.dataSource.query(
        `SELECT request_resource || '.' || request_action AS operation, actor_id, primary_target_type AS primary,
           ${rank}_target_type AS type, ${rank}_target_name AS name, to_json(l)::text AS whole
         FROM ${table} l WHERE ${rank}_target_id = $1 ORDER BY creation_date, id`,
        [id],
      );
    for (const [table, rank, primary] of [
      ['audit_logs', 'primary', 'OrgInvite'],
      ['instance_audit_logs', 'secondary', 'Organization'],
    ] as const) {
      const found = await entries(table, rank);
      expect(found.map(({ whole: _whole, ...entry }) => entry)).toEqual(
        ['instanceOrgInvites.post', 'instanceOrgInvite.resendInvite', 'instanceOrgInvite.delete'].map(
          (operation) => ({ operation, actor_id: admin.id, primary, type: 'OrgInvite', name: email }),
        ),
      );
      expect(JSON.stringify(found)).not.toContain(token);
    }
  });
});
