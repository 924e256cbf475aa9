import { BARE, importsOf } from '../../../../../test/make/bundle-imports.js';
import { instanceOrgsIn } from '../../../../../test/make/instance-orgs.js';
import { makeMember } from '../../../../../test/make/make.js';
import { clientAddress } from '../../../../../test/make/sign-in.js';
import { ListenedWebhook } from '../../../../../test/make/webhooks.js';
import { suite } from '../../../../../test/setup/suite.js';
import { waitUntil } from '../../../../../test/setup/until.js';
import { WebhooksRepository } from '../webhooks.repository.js';

describe('A webhook that another process has received requests to', () => {
  const { test, other } = suite();
  const orgs = instanceOrgsIn(test);
  let hook: ListenedWebhook;
  let isRead: jest.SpyInstance;
  const status = async (token = hook.webhook.token) =>
    (await fetch(`${other.client.url}/webhooks/${token}`, { method: 'POST' })).status;
  const path = () => `/applications/${hook.application.id}`;
  /** A process that briefly misses heartbeats caches nothing during that time. */
  const cached = (expected = 200) =>
    waitUntil(async () => {
      isRead.mockClear();
      expect(await status()).toBe(expected);
      return isRead.mock.calls.length === 0;
    });

  beforeEach(async () => {
    isRead = jest.spyOn(other.app.get(WebhooksRepository), 'received');
    hook = await ListenedWebhook.make(test);
    await cached();
  });

  it('is found without a statement, and so is that a token does not exist', async () => {
    hook.webhook.token = `${hook.webhook.token}x`;
    await cached(404);
  });

  it('takes effect as it was changed', async () => {
    await hook.change({ responseCode: 202 });
    expect(await status()).toBe(202);
    await hook.change({ basicAuthUsername: 'ada', basicAuthPassword: 'secret' });
    expect(await status()).toBe(401);
  });

  it('is gone when it is deleted', async () => {
    const { token } = hook.user;
    expect((await test.client.delete(`${path()}/webhooks/${hook.webhook.id}`, { token })).status).toBe(200);
    expect(await status()).toBe(404);
  });

  it('is gone when its application is deleted', async () => {
    expect((await test.client.delete(path(), { token: hook.user.token })).status).toBe(200);
    expect(await status()).toBe(404);
  });

  it('is gone when its owner is deleted', async () => {
    const { email, password, token } = hook.user;
    const headers = clientAddress();
    const answer = await test.client.post('/me/delete', { email, password }, { token, headers });
    expect(answer.status).toBe(200);
    expect(await status()).toBe(404);
  });

  it('is gone while the organization is disabled to which its application was transferred', async () => {
    const { id: orgId } = await orgs.make();
    const user = await makeMember(test, orgId, 'admin');
    hook = await ListenedWebhook.make(test, {}, { user });
    await cached();
    const body = {
      applicationIds: [hook.application.id],
      destinationId: orgId,
      destinationType: 'organization',
    };
    const moved = await test.client.patch('/me/transferResources', body, { token: user.token });
    expect(moved.status).toBe(200);
    await cached();
    for (const [disabledAt, expected] of [
      [true, 404],
      [false, 200],
    ] as const) {
      expect((await orgs.patch(orgId, { disabledAt })).status).toBe(200);
      expect(await status()).toBe(expected);
      await cached(expected);
    }
    expect((await orgs.remove(orgId)).status).toBe(200);
    expect(await status()).toBe(404);
  });

  it('is read again after an import into its application', async () => {
    isRead.mockClear();
    await importsOf(test, hook.user).into(hook.application.id, BARE);
    await waitUntil(async () => {
      expect(await status()).toBe(200);
      return isRead.mock.calls.length > 0;
    });
  });
});
