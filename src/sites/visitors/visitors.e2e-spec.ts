import jwt from 'jsonwebtoken';
import { withClock } from '../../../test/doubles/clock.js';
import { makeApplication, uniqueName } from '../../../test/make/make.js';
import { cookieOf, reply, SITES, TestSite, visit, sitesPort } from '../../../test/make/sites.js';
import { suite } from '../../../test/setup/suite.js';
import { NO_PASSWORD } from '../../lib/crypto/passwords.js';
import { TokenSigner } from '../../platform/access/token-signer.js';

const { test, other, user, application } = suite(SITES, { database: 'own' });
const PASSWORD = 'Correct-Horse-7';
let site: TestSite;

beforeEach(async () => {
  site = new TestSite(test, user, application);
});

/** Creates a user of the experience. */
const makeVisitor = (more: object = {}): Promise<any> =>
  site.call('post', 'experience/users', {
    email: `${uniqueName('ada')}@example.com`,
    password: PASSWORD,
    firstName: 'Ada',
    ...more,
  });

/** Makes an endpoint at which users sign in, and returns a function that does so and returns the answer. */
async function signInPage(node: object = {}, meta: object = { authMode: 'emailPassword' }) {
  const endpoint = await site.endpoint('/sign-in', { method: 'post' });
  await site.call('post', 'flows', {
    name: uniqueName('flow'),
    flowClass: 'experience',
    triggers: [{ type: 'endpoint', key: endpoint.id, outputIds: [['auth']] }],
    nodes: [
      {
        id: 'auth',
        type: 'ExperienceUserAuthNode',
        config: {
          emailTemplate: '{{{data.body.email}}}',
          passwordTemplate: '{{{data.body.password}}}',
          userResultPath: 'working.user',
          tokenResultPath: 'working.token',
          ...node,
        },
        meta,
        outputIds: [['no'], ['yes']],
      },
      { id: 'no', ...reply({ responseCodeTemplate: '401' }), outputIds: [] },
      {
        id: 'yes',
        ...reply({
          bodyTemplate: '{{working.user}}',
          cookieInfo: [{ nameTemplate: 'authorization', valueTemplate: '{{working.token}}' }],
        }),
        outputIds: [],
      },
    ],
  });
  return (body: object) =>
    site.visit('/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
}

/** Makes a public endpoint whose workflow replies with the experience of its payload. */
const whoAmI = () => site.replying('/me', { bodyTemplateType: 'path', bodyTemplate: 'experience' });

/** Signs a user in, and returns the token. */
async function tokenOf({ email }: { email: string }, node: object = {}): Promise<string> {
  const signIn = await signInPage(node);
  const token = cookieOf(await signIn({ email, password: PASSWORD }), 'authorization');
  expect(token).toBeDefined();
  return token!;
}

describe('The user of a request', () => {
  it('is the subject of the token in the query, the header or the cookie, in this order', async () => {
    await whoAmI();
    const [one, two, three] = [await makeVisitor(), await makeVisitor(), await makeVisitor()];
    const signIn = await signInPage();
    const tokens: string[] = [];
    for (const { email } of [one, two, three])
      tokens.push(
        cookieOf(await signIn({ email: email.toUpperCase(), password: PASSWORD }), 'authorization')!,
      );
    const idOf = async (path: string, asked: object = {}) => (await site.visit(path, asked)).json.user?.id;
    const header = { authorization: `Bearer ${tokens[1]}` };
    expect(await idOf('/me')).toBeUndefined();
    expect(await idOf('/me', { token: tokens[2] })).toBe(three.id);
    expect(await idOf('/me', { token: tokens[2], headers: header })).toBe(two.id);
    expect(await idOf(`/me?authorization=${tokens[0]}`, { token: tokens[2], headers: header })).toBe(one.id);
    // The first place that has a token decides, even if it is invalid.
    expect(await idOf('/me?authorization=x', { token: tokens[2] })).toBeUndefined();
  });

  it('has its groups, tags and times, and the payload who sent it', async () => {
    const endpoint = await site.endpoint('/me');
    await site.flow(endpoint, reply({ bodyTemplateType: 'payload' }));
    const group = await site.call('post', 'experience/groups', { name: 'Operators' });
    const made = await makeVisitor({ userTags: { site: 'north' }, experienceGroupIds: [group.id] });
    const token = await tokenOf(made, { ttlTemplate: '60000', extraDataJsonTemplate: '{"plan": "pro"}' });
    const payload = (await site.visit('/me', { token })).json;
    expect(payload).toMatchObject({ relayType: 'experienceUser', relayId: made.id });
    const { experience } = payload;
    expect(experience.user).toEqual({
      id: made.id,
      experienceUserId: made.id,
      applicationId: application.id,
      email: made.email,
      firstName: 'Ada',
      userTags: { site: 'north' },
      experienceGroups: [{ id: group.id, name: 'Operators', parentId: null }],
      creationDate: made.creationDate,
      lastUpdated: expect.any(String),
      lastLogin: expect.any(String),
      passwordLastUpdated: made.passwordLastUpdated,
    });
    const { issuedAt, expiresAt, extraData } = experience.authInfo;
    expect(Date.parse(expiresAt) - Date.parse(issuedAt)).toBe(60_000);
    expect(extraData).toEqual({ plan: 'pro' });
  });

  it('is nobody for tokens that are void, and public endpoints still work', async () => {
    await whoAmI();
    const made = await makeVisitor();
    const token = await tokenOf(made);
    const userOf = async (sent: string) => (await site.visit('/me', { token: sent })).json.user;
    expect(await userOf(token)).toMatchObject({ id: made.id });
    const claims = jwt.decode(token) as object;
    const signer = test.app.get(TokenSigner);
    const forged = [
      'nonsense',
      token.slice(0, -2),
      jwt.sign(claims, 'secret', { algorithm: 'HS256' }),
      jwt.sign(claims, '', { algorithm: 'none' }),
      // Tokens of the API, and those with other claims.
      user.token,
      signer.signClaims({ ...claims, iss: undefined }, 'fieldwright'),
      signer.signClaims({ ...claims, iss: undefined, aud: user.id }, 'fieldwright-experience'),
      'x'.repeat(9_000),
    ];
    for (const each of forged) expect(await userOf(each)).toBeNull();
    const elsewhere = new TestSite(test, user, await makeApplication(test, user.token));
    await elsewhere.replying('/me', { bodyTemplateType: 'path', bodyTemplate: 'experience' });
    expect((await elsewhere.visit('/me', { token })).json.user).toBeNull();
    const api = await test.client.get(`/applications/${application.id}`, { token });
    expect(api.status).toBe(401);
  });

  it('is nobody once the token has expired', async () => {
    await whoAmI();
    const token = await tokenOf(await makeVisitor(), { ttlTemplate: '3600000' });
    const userOf = async () => (await site.visit('/me', { token })).json.user;
    expect(await userOf()).not.toBeNull();
    await withClock(Date.now() + 3_600_001, async () => expect(await userOf()).toBeNull());
  });

  it('is nobody after a cutoff of the user or of the application, a new password or its deletion, in all processes', async () => {
    await whoAmI();
    const there = async (token: string) =>
      (await visit(sitesPort(other), '/me', { host: site.host, token })).json.user?.firstName;
    const signIn = await signInPage();
    const fresh = async ({ email }: { email: string }) => {
      const token = cookieOf(await signIn({ email, password: PASSWORD }), 'authorization')!;
      expect(await there(token)).toBe('Ada');
      return token;
    };
    const made = await makeVisitor();
    const path = `experience/users/${made.id}`;
    const cut = await fresh(made);
    await site.call('patch', path, { tokenCutoff: new Date(Date.now() + 1).toISOString() });
    expect(await there(cut)).toBeUndefined();
    await site.call('patch', path, { tokenCutoff: '2020-01-01T00:00:00.000Z' });
    const token = await fresh(made);
    await site.call('patch', path, { firstName: 'Grace' });
    expect(await there(token)).toBe('Grace');
    await test.client.patch(
      `/applications/${application.id}`,
      { expUserTokenCutoff: new Date(Date.now() + 1).toISOString() },
      { token: user.token },
    );
    expect(await there(token)).toBeUndefined();
    await test.client.patch(
      `/applications/${application.id}`,
      { expUserTokenCutoff: '2020-01-01T00:00:00.000Z' },
      { token: user.token },
    );
    expect(await there(token)).toBe('Grace');
    await site.call('delete', path);
    expect(await there(token)).toBeUndefined();
  });

  it('is nobody with earlier tokens once a sign-in invalidates them', async () => {
    await whoAmI();
    const made = await makeVisitor();
    const signIn = await signInPage({ invalidateExistingTokens: true });
    const enter = async () =>
      cookieOf(await signIn({ email: made.email, password: PASSWORD }), 'authorization')!;
    const first = await enter();
    const userOf = async (token: string) =>
      (await visit(sitesPort(other), '/me', { host: site.host, token })).json.user?.id;
    expect(await userOf(first)).toBe(made.id);
    const second = await enter();
    expect(await userOf(first)).toBeUndefined();
    expect(await userOf(second)).toBe(made.id);
  });
});

describe('A sign-in', () => {
  it('needs the right password of an existing user', async () => {
    const signIn = await signInPage();
    const { email } = await makeVisitor();
    for (const body of [
      { email, password: 'wrong' },
      { email: 'nobody@example.com', password: PASSWORD },
      { email, password: '' },
      { email: '', password: PASSWORD },
      {},
      { email: { $ne: '' }, password: { $ne: '' } },
    ])
      expect((await signIn(body)).status).toBe(401);
    const entered = await signIn({ email: ` ${email.toUpperCase()} `, password: PASSWORD });
    expect(entered.json).toMatchObject({ email });
    expect(entered.text).not.toMatch(/argon2|passwordHash/);
  });

  it('is impossible for an imported user until a password is set', async () => {
    const signIn = await signInPage();
    const { id, email } = await makeVisitor();
    await test.dataSource.query('UPDATE experience_users SET password_hash = $2 WHERE id = $1', [
      id,
      NO_PASSWORD,
    ]);
    for (const password of [PASSWORD, NO_PASSWORD, ''])
      expect((await signIn({ email, password })).status).toBe(401);
    await site.call('patch', `experience/users/${id}`, { password: PASSWORD });
    expect((await signIn({ email, password: PASSWORD })).status).toBe(200);
  });
});

describe('Access to an endpoint', () => {
  /** Returns the status of a request to a static page with the access. */
  async function gate(access: object) {
    const { id } = await site.view('page', 'secret', 'secret {{experience.device.name}}');
    await site.endpoint('/secret/{deviceId?}', { staticReply: { type: 'page', value: id }, ...access });
    return (token?: string, path = '/secret') => site.visit(path, { token });
  }

  it('is open to everyone, or to all users', async () => {
    const token = await tokenOf(await makeVisitor());
    const enter = await gate({ access: 'authenticated' });
    expect(await enter()).toMatchObject({ status: 401, text: '{"error":"Unauthorized"}' });
    expect((await enter('nonsense')).status).toBe(401);
    expect((await enter(token)).text).toBe('secret ');
  });

  it('is open to users of a group or of a group above it', async () => {
    const group = (name: string, more: object = {}) =>
      site.call('post', 'experience/groups', { name, ...more });
    const top = await group('top');
    const middle = await group('middle', { parentId: top.id });
    const below = await group('below', { parentId: middle.id });
    const enter = await gate({ access: 'group', experienceGroupIds: [middle.id] });
    const signIn = await signInPage();
    const member = async (...groups: any[]) => {
      const { id, email } = await makeVisitor({ experienceGroupIds: groups.map((one) => one.id) });
      return [id, cookieOf(await signIn({ email, password: PASSWORD }), 'authorization')!] as const;
    };
    const statusOf = async (token?: string) => (await enter(token)).status;
    const [id, ofTop] = await member(top);
    expect(await statusOf()).toBe(401);
    expect(await statusOf(ofTop)).toBe(200);
    expect(await statusOf((await member(middle))[1])).toBe(200);
    expect(await statusOf((await member(below))[1])).toBe(403);
    expect(await enter((await member())[1])).toMatchObject({ status: 403, text: '{"error":"Forbidden"}' });
    await site.call('patch', `experience/groups/${middle.id}`, { parentId: null });
    expect(await statusOf(ofTop)).toBe(403);
    await site.call('patch', `experience/users/${id}`, { experienceGroupIds: [middle.id] });
    expect(await statusOf(ofTop)).toBe(200);
  });

  it('is closed if no group is listed', async () => {
    const token = await tokenOf(await makeVisitor());
    expect((await (await gate({ access: 'group' }))(token)).status).toBe(403);
  });

  it('is open to users of a group with the device of the request', async () => {
    const device = (name: string, more: object = {}) => site.call('post', 'devices', { name, ...more });
    const [own, tagged, foreign] = [
      await device('own'),
      await device('tagged', { tags: [{ key: 'area', value: 'north' }] }),
      await device('foreign'),
    ];
    const top = await site.call('post', 'experience/groups', { name: 'top' });
    await site.call('post', 'experience/groups', {
      name: 'below',
      parentId: top.id,
      deviceIds: [own.id],
      deviceTags: [{ key: 'area', value: 'north' }],
    });
    const token = await tokenOf(await makeVisitor({ experienceGroupIds: [top.id] }));
    const enter = await gate({ access: 'device', deviceIdTemplate: '{{request.params.deviceId}}' });
    expect((await enter(undefined, `/secret/${own.id}`)).status).toBe(401);
    expect((await enter(token, `/secret/${own.id}`)).text).toBe('secret own');
    expect((await enter(token, `/secret/${tagged.id.toUpperCase()}`)).text).toBe('secret tagged');
    for (const path of [`/secret/${foreign.id}`, `/secret/${user.id}`, '/secret/x', '/secret'])
      expect((await enter(token, path)).status).toBe(403);
  });

  it('leads to the device in the payload', async () => {
    const made = await site.call('post', 'devices', {
      name: 'pump',
      tags: [{ key: 'area', value: 'north' }],
      attributes: [{ name: 'temp', dataType: 'number' }],
    });
    const group = await site.call('post', 'experience/groups', { name: 'g', deviceIds: [made.id] });
    const token = await tokenOf(await makeVisitor({ experienceGroupIds: [group.id] }));
    await site.replying(
      '/d/{id}',
      { bodyTemplateType: 'path', bodyTemplate: 'experience.device' },
      { access: 'device', deviceIdTemplate: '{{request.params.id}}' },
    );
    expect((await site.visit(`/d/${made.id}`, { token })).json).toMatchObject({
      id: made.id,
      name: 'pump',
      tags: { area: ['north'] },
      attributes: { temp: { dataType: 'number' } },
    });
  });

  it('is refused with the reply of the endpoint, or of the version', async () => {
    const token = await tokenOf(await makeVisitor());
    const page = await site.view('page', 'refused', 'Sign in first, {{request.path}}');
    await site.endpoint('/default', { access: 'group' });
    await site.endpoint('/own', {
      access: 'group',
      unauthorizedReply: {
        type: 'redirect',
        value:
          '/login?redirect={{encodeURIComponent request.path}}%3F{{encodeURIComponent (queryStringEncode request.query)}}',
      },
    });
    await site.call('patch', 'experience/versions/develop', {
      unauthorizedReply: { type: 'page', value: page.id },
    });
    for (const sent of [undefined, token]) {
      expect(await site.visit('/default', { token: sent })).toMatchObject({
        status: 401,
        text: 'Sign in first, /default',
      });
      expect(await site.visit('/own?a=1&b=x%20y', { token: sent })).toMatchObject({
        status: 302,
        headers: { location: '/login?redirect=%2Fown%3Fa%3D1%26b%3Dx%2520y' },
      });
    }
  });
});
