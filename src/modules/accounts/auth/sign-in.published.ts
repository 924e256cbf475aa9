import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SsoDomain } from './auth.resource.js';
import { makeUser, uniqueName } from '../../../../test/make/make.js';
import {
  providerPair,
  readRequest,
  signedResponse,
} from '../../../../test/doubles/saml-identity-provider.js';
import { codeOf, makeTwoFactorUser } from '../../../../test/make/sign-in.js';
import type { Published } from '../../../../test/contract/published.js';

export async function prepare(env: Record<string, string>): Promise<() => void> {
  env.CODEHOST_API_URL = await codeHost.start();
  return () => codeHost.stop();
}

/** Tests all ways to sign in, and the user's own account. */
export function drive(published: Published): void {
  it('signs in with a password and reports rejected credentials', async () => {
    const { user, api } = await published.signedIn();
    expect(await api.me!.get!()).toMatchObject({ id: user.id, userId: user.id, email: user.email });
    const { token } = await api.me!.refreshToken!();
    expect(await published.client(token).me!.get!({ includeRecent: 'True' })).toMatchObject({ id: user.id });
    const credentials = { email: user.email, password: 'Wrong-Horse-7' };
    await expect(published.client().auth!.authenticateUser!({ credentials })).rejects.toMatchObject({
      statusCode: 401,
      type: 'Unauthorized',
      message: expect.any(String),
    });
    await expect(published.client('x').me!.get!()).rejects.toMatchObject({ statusCode: 401 });
  });

  it('signs in with a token of the code host and disconnects it', async () => {
    const { email, id } = await makeUser(published.test);
    codeHost.email = email;
    const { auth } = published.client();
    const { userId, token } = await auth!.authenticateUserGithub!({ oauth: { accessToken: 'gho_1' } });
    expect(userId).toBe(id);
    const { me } = published.client(token);
    expect(await me!.get!()).toMatchObject({ githubName: 'octo' });
    expect(await me!.disconnectGithub!()).not.toHaveProperty('githubName');
  });

  it("signs in with a response of the domain's identity provider", async () => {
    const domain = `${uniqueName('corp')}.test`;
    const issuer = `https://idp.${domain}/metadata`;
    const row = { entryPoint: `https://idp.${domain}/sso`, certificates: [providerPair.cert], acsUrl: null };
    await published.test.dataSource.manager.insert(SsoDomain, {
      ...row,
      domain,
      issuer,
      creationDate: new Date(),
    });
    const { auth } = published.client();
    const email = `ada@${domain}`;
    const { ssoRequest } = await auth!.ssoDomain!({ email });
    const { id: inResponseTo, acsUrl, issuer: audience } = readRequest(ssoRequest);
    const asked = { issuer, audience, acsUrl, email, inResponseTo } as Parameters<typeof signedResponse>[0];
    const saml = { SAMLResponse: await signedResponse(asked), SAMLDomain: domain };
    const { token } = await auth!.authenticateUserSaml!({ saml });
    expect(await published.client(token).me!.get!()).toMatchObject({ email, ssoLinked: true });
  });

  it('changes an account, its password and its second factor, and deletes it', async () => {
    const { user, api } = await published.signedIn();
    expect(await api.me!.patch!({ user: { firstName: 'Ada' } })).toMatchObject({ firstName: 'Ada' });
    const passwords = { password: user.password, newPassword: 'Fresh-Saddle-33' };
    const { token } = await api.me!.changePassword!({ data: passwords });
    const { me } = published.client(token);
    const own = { token, path: '/me/generateTwoFactorAuth' };
    const { key } = (await published.test.client.request('PATCH', own.path, own)).body;
    const password = passwords.newPassword;
    expect(await me!.enableTwoFactorAuth!({ data: { password, twoFactorCode: codeOf(key) } })).toMatchObject({
      twoFactorAuthEnabled: true,
    });
    expect(
      await me!.disableTwoFactorAuth!({ data: { password, twoFactorCode: codeOf(key, 1) } }),
    ).toMatchObject({ twoFactorAuthEnabled: false });
    const credentials = { email: user.email, password };
    expect(await me!.delete!({ credentials })).toEqual({ success: true });
    await expect(me!.get!()).rejects.toMatchObject({ statusCode: 401 });
  });

  it('signs in with a second factor', async () => {
    const { email, password, key, id } = await makeTwoFactorUser(published.test);
    const credentials = { email, password, twoFactorCode: codeOf(key) };
    expect(await published.client().auth!.authenticateUser!({ credentials })).toMatchObject({ userId: id });
  });
}

/** A code host with one account that has a user's email address. */
const codeHost = {
  email: '',
  server: undefined as Server | undefined,

  /** Starts the code host and returns its URL. */
  async start(): Promise<string> {
    this.server = createServer(({ url }, response) => {
      const emails = [{ email: this.email, verified: true }];
      const account = { id: 7, login: 'octo', email: this.email };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(url!.startsWith('/user/emails') ? emails : account));
    });
    await new Promise<void>((resolve) => this.server!.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  },

  stop(): void {
    this.server?.closeAllConnections();
    this.server?.close();
  },
};
