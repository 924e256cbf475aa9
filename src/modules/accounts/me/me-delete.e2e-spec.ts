import {
  makeApplication,
  makeMember,
  makeOrg,
  makeUser,
  tokenOf,
  uniqueName,
} from '../../../../test/make/make.js';
import {
  BEHIND_PROXY,
  codeOf,
  clientAddress,
  makeApiToken,
  makeTwoFactorUser,
  signIn,
  wrongCode,
} from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { Job } from '../../../platform/jobs/job.entity.js';
import { User } from '../users/user.entity.js';

const { test, other } = suite(BEHIND_PROXY);

const remove = (token: string, body: object) =>
  test.client.post('/me/delete', body, { token, headers: clientAddress() });
const rowOf = (id: string) => test.dataSource.manager.findOneByOrFail(User, { id });

describe('Users who delete themselves', () => {
  it('lose access immediately in every process, and their data after 30 days', async () => {
    const { id, email, password, token } = await makeUser(test);
    const application = await makeApplication(test, token);
    const apiToken = (await makeApiToken(test, token)).token;
    const statuses = async () => {
      const all = [];
      for (const { client } of [other, test])
        for (const held of [token, apiToken])
          all.push((await client.get(`/applications/${application.id}`, { token: held })).status);
      return all;
    };
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    const { status, body } = await remove(token, { email: email.toUpperCase(), password });
    expect({ status, body }).toEqual({ status: 200, body: { success: true } });
    expect(await statuses()).toEqual([401, 401, 401, 401]);
    expect((await signIn(test, { email, password })).status).toBe(401);
    const { dataDeletion, permanentDeletion } = await rowOf(id);
    expect(dataDeletion!.getTime() - permanentDeletion!.getTime()).toBe(30 * 24 * 3600_000);
    const jobs = await test.dataSource.manager.findBy(Job, { name: 'user.purge', requestedById: id });
    expect(jobs).toEqual([expect.objectContaining({ payload: { userId: id }, dueAt: dataDeletion })]);
    await makeUser(test, { email });
  });

  it('must send a two-factor code if enabled', async () => {
    const { id, email, password, token, key } = await makeTwoFactorUser(test);
    for (const twoFactorCode of [undefined, wrongCode(key)]) {
      const { status, body } = await remove(token, { email, password, twoFactorCode });
      expect(status).toBe(400);
      expect(body.message).toMatch(/^credentials.twoFactorCode: /);
    }
    expect((await rowOf(id)).permanentDeletion).toBeNull();
    expect((await remove(token, { email, password, twoFactorCode: codeOf(key) })).status).toBe(200);
  });

  it('must send their own email address and password', async () => {
    const { id, email, password, token } = await makeUser(test);
    const stranger = await makeUser(test);
    for (const [field, body] of [
      ['password', { email, password: 'Wrong-Horse-7' }],
      ['email', { email: stranger.email, password }],
      ['email', { password }],
      ['password', { email }],
    ] as const) {
      const answer = await remove(token, body);
      expect(answer.status).toBe(400);
      expect(answer.body.message.startsWith(`credentials.${field} `)).toBe(true);
    }
    for (const userId of [id, stranger.id]) expect((await rowOf(userId)).permanentDeletion).toBeNull();
  });

  it('must not be the last admin of an organization', async () => {
    const { email, password, token } = await makeUser(test);
    const org = await makeOrg(test, token, { name: 'North' });
    const { status, body } = await remove(token, { email, password });
    expect(status).toBe(400);
    expect(body.message).toBe('credentials.email is the last admin of the organization "North"');
    await makeMember(test, org.id, 'admin');
    expect((await remove(token, { email, password })).status).toBe(200);
  });

  it('need a session token with a sufficient scope', async () => {
    const { id, email, password, token } = await makeUser(test);
    const apiToken = await makeApiToken(test, token);
    expect((await remove(apiToken.token, { email, password })).status).toBe(403);
    for (const scope of ['all.User.bounded', 'all.User.read', 'me.patch'])
      expect((await remove(tokenOf(test, id, [scope]), { email, password })).status).toBe(403);
    expect((await test.client.post('/me/delete', { email, password })).status).toBe(401);
    expect((await remove(tokenOf(test, id, ['me.delete']), { email, password })).status).toBe(200);
  });

  it('are deleted once by concurrent requests', async () => {
    const { email, password, token } = await makeUser(test);
    const answers = await Promise.all([1, 2].map(() => remove(token, { email, password })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });
});

describe('PATCH /me/disconnectCodehost', () => {
  it('removes the identity at the provider', async () => {
    const { id, token } = await makeUser(test, { codehostId: uniqueName(), githubName: 'ada' });
    const { status, body } = await test.client.patch('/me/disconnectCodehost', undefined, { token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id });
    expect(body).not.toHaveProperty('githubName');
    expect(await rowOf(id)).toMatchObject({ codehostId: null, githubName: null });
  });
});
