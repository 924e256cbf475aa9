import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests devices that sign in with an access key and its restrictions. */
export function drive(published: Published): void {
  it('signs a device in with a key and reports rejected credentials', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const { id: deviceId } = await api.devices!.post!({ applicationId, device: { name: uniqueName() } });
    const { key, secret } = await api.applicationKeys!.post!({ applicationId, applicationKey: {} });
    const credentials = { deviceId, key, secret, requestedScopes: ['device.get'], tokenTTL: 60 };
    const { auth } = published.client();
    const { token, ...authed } = await auth!.authenticateDevice!({ credentials });
    expect(authed).toMatchObject({ applicationId, deviceId, deviceClass: 'standalone' });
    const { device } = published.client(token);
    expect(await device!.get!({ applicationId, deviceId })).toMatchObject({ deviceId });
    const wrong = { ...credentials, secret: 'wrong' };
    await expect(auth!.authenticateDevice!({ credentials: wrong })).rejects.toMatchObject({
      statusCode: 401,
      type: 'Unauthorized',
    });
  });
}
