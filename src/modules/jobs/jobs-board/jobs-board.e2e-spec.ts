import { makeInstanceMember, makeMember, makeOrg, makeUser, PASSWORD } from '../../../../test/make/make.js';
import { BEHIND_PROXY, freshAddress } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { InstanceMember } from '../../accounts/instance-members/instance-member.resource.js';
import { AccessCache } from '../../../platform/access/access-cache.js';

const { test } = suite({ ...BEHIND_PROXY, JOBS_BOARD: 'true' });

/** Requests a path of the job board with the credentials that a browser sends. */
async function ask(
  path: string,
  credentials?: string,
  { method = 'GET', address = freshAddress() } = {},
): Promise<Response & { content: string }> {
  const authorization = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const response = await fetch(`${test.client.url}/jobs-board${path}`, {
    method,
    headers: { 'x-forwarded-for': address, ...(authorization ? { authorization } : {}) },
  });
  return Object.assign(response, { content: await response.text() });
}

describe('The job board', () => {
  it('requires authentication and reveals nothing to other clients', async () => {
    const { email } = await makeInstanceMember(test, 'admin');
    const asked = [
      undefined,
      `${email}:Wrong-Horse-7`,
      'nobody@example.com:Wrong-Horse-7',
      email,
      ':',
      'no address:a',
    ];
    for (const credentials of asked) {
      const { status, headers, content } = await ask('/api/queues', credentials);
      expect({ credentials, status }).toEqual({ credentials, status: 401 });
      expect(headers.get('www-authenticate')).toBe('Basic realm="Jobs", charset="UTF-8"');
      expect(JSON.parse(content)).toEqual({ type: 'Unauthorized', message: expect.any(String) });
    }
    for (const path of ['', '/', '/static/js/main.js', '/queue/jobs'])
      expect((await ask(path)).status).toBe(401);
  });

  it('is shown only to admins of the instance', async () => {
    const { email } = await makeInstanceMember(test, 'admin');
    const page = await ask('/', `${email}:${PASSWORD}`);
    expect(page.status).toBe(200);
    expect(page.content).toContain('<title>Jobs</title>');
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/https?:|\*/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const { email: viewer } = await makeInstanceMember(test, 'view');
    const owner = await makeUser(test);
    const org = await makeOrg(test, owner.token);
    const { email: admin } = await makeMember(test, org.id, 'admin');
    for (const other of [viewer, admin, owner.email])
      expect((await ask('/', `${other}:${PASSWORD}`)).status).toBe(403);
  });

  it('lists jobs without their contents, and is read-only', async () => {
    const { email } = await makeInstanceMember(test, 'admin');
    const credentials = `${email}:${PASSWORD}`;
    const { status, content } = await ask('/api/queues?activeQueue=jobs', credentials);
    expect(status).toBe(200);
    expect(JSON.parse(content).queues).toMatchObject([{ readOnlyMode: true }]);
    for (const method of ['PUT', 'POST', 'PATCH', 'DELETE']) {
      const refused = await ask('/api/queues/jobs/pause', credentials, { method });
      expect([method, refused.status]).toEqual([method, 405]);
    }
  });

  it('is inaccessible immediately after a user loses the role admin', async () => {
    const { id, email } = await makeInstanceMember(test, 'admin');
    const credentials = `${email}:${PASSWORD}`;
    expect((await ask('/', credentials)).status).toBe(200);
    await test.dataSource.manager.delete(InstanceMember, { userId: id });
    await test.app.get(AccessCache).evict(id);
    expect((await ask('/', credentials)).status).toBe(403);
    const { email: other, id: otherId } = await makeInstanceMember(test, 'admin');
    expect((await ask('/', `${other}:${PASSWORD}`)).status).toBe(200);
    await test.dataSource.query('UPDATE users SET token_cutoff = now() + $2::interval WHERE id = $1', [
      otherId,
      '1 hour',
    ]);
    await test.app.get(AccessCache).evict(otherId);
    expect((await ask('/', `${other}:${PASSWORD}`)).status).toBe(401);
  });

  it('is inaccessible with a previous password, even within the hour', async () => {
    const { email, token } = await makeInstanceMember(test, 'admin');
    expect((await ask('/', `${email}:${PASSWORD}`)).status).toBe(200);
    const change = { password: PASSWORD, newPassword: 'Correct-Horse-77' };
    expect((await test.client.patch('/me/changePassword', change, { token })).status).toBe(200);
    expect((await ask('/', `${email}:${PASSWORD}`)).status).toBe(401);
    expect((await ask('/', `${email}:Correct-Horse-77`)).status).toBe(200);
  });

  it('throttles guessing', async () => {
    const { email } = await makeInstanceMember(test, 'admin');
    const address = freshAddress();
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await ask('/', `${email}:Wrong-${n}`, { address })).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(statuses.slice(10)).toEqual([429, 429]);
    expect((await ask('/', `${email}:${PASSWORD}`, { address })).status).toBe(429);
  });
});

describe('If not enabled', () => {
  const { test: plain } = suite();

  it('the job board does not exist', async () => {
    expect((await plain.client.get('/jobs-board')).status).toBe(404);
  });
});
