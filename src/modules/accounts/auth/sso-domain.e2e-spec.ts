import { makeUser, uniqueName } from '../../../../test/make/make.js';
import { readRequest } from '../../../../test/doubles/saml-identity-provider.js';
import { BEHIND_PROXY, clientAddress } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { SamlId } from './auth.resource.js';
import { ACS_URL, PUBLIC_URL, samlIn } from '../../../../test/make/saml-domains.js';

const { test } = suite({ ...BEHIND_PROXY, PUBLIC_URL });
const { makeDomain, ask, requestId } = samlIn(test);

describe('GET /auth/ssoDomain', () => {
  it('returns the sign-in URL of the domain', async () => {
    const { domain, entryPoint } = await makeDomain();
    const { status, body } = await ask(`ada@${domain}`);
    expect(status).toBe(200);
    expect(body).toEqual({ ssoType: 'SAML', ssoRequest: expect.any(String) });
    expect(body.ssoRequest.startsWith(`${entryPoint}?`)).toBe(true);
    expect(new URL(body.ssoRequest).searchParams.get('RelayState')).toBe(domain);
    expect(readRequest(body.ssoRequest)).toEqual({
      id: expect.stringMatching(/^_[\w.-]{40,}$/),
      issuer: PUBLIC_URL,
      acsUrl: ACS_URL,
      destination: entryPoint,
    });
  });

  it('creates a new request each time', async () => {
    const domain = await makeDomain();
    expect(await requestId(domain)).not.toBe(await requestId(domain));
  });

  it('stores nothing, regardless of the caller and the number of requests', async () => {
    const domain = await makeDomain();
    for (let asked = 0; asked < 3; asked++) await requestId(domain);
    expect(await test.dataSource.manager.countBy(SamlId, { domain: domain.domain })).toBe(0);
  });

  it('uses the consumer URL configured by the operator', async () => {
    const { domain } = await makeDomain({ acsUrl: 'https://app.example.com/sso' });
    expect(readRequest((await ask(`ada@${domain}`)).body.ssoRequest).acsUrl).toBe(
      'https://app.example.com/sso',
    );
  });

  it('uses its own configured URL, regardless of the request', async () => {
    const { domain } = await makeDomain();
    const headers = { ...clientAddress(), 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'http' };
    const { body } = await test.client.get(`/auth/ssoDomain?email=ada@${domain}`, { headers });
    expect(readRequest(body.ssoRequest)).toMatchObject({ issuer: PUBLIC_URL, acsUrl: ACS_URL });
  });

  it('returns 204 without a body for a domain without single sign-on', async () => {
    const answer = await ask(`ada@${uniqueName()}.test`);
    expect(answer.status).toBe(204);
    expect(answer.body).toBe('');
  });

  it('does not match subdomains or similar domains', async () => {
    const { domain } = await makeDomain();
    for (const other of [`sub.${domain}`, `x${domain}`, `${domain}.evil.test`])
      expect((await ask(`ada@${other}`)).status).toBe(204);
  });

  it('returns the same for every local part, whether or not the user exists', async () => {
    const { domain, entryPoint } = await makeDomain();
    await makeUser(test, { email: `known@${domain}` });
    for (const local of ['known', 'unknown', "o'neil+x", '*', 'KNOWN']) {
      const { status, body } = await ask(`${local}@${domain}`);
      expect(status).toBe(200);
      expect(body.ssoRequest.startsWith(entryPoint)).toBe(true);
    }
    await makeUser(test, { email: 'known@nosso.test' });
    for (const local of ['known', 'unknown']) expect((await ask(`${local}@nosso.test`)).status).toBe(204);
  });

  it('accepts the domain in any case', async () => {
    const { domain } = await makeDomain();
    expect((await ask(`Ada@${domain.toUpperCase()}`)).status).toBe(200);
  });

  it.each([
    '',
    '?email=',
    '?email=ada',
    '?email=ada@',
    '?email=@corp.test',
    '?email=a@b@c',
    '?email=a%20b@c.test',
    '?email=a%00@c.test',
    '?email=a@c.test&email=b@c.test',
    '?email[$ne]=x',
    `?email=${'x'.repeat(1020)}@c.test`,
  ])('rejects %j with 400', async (query) => {
    const answer = await test.client.get(`/auth/ssoDomain${query}`, { headers: clientAddress() });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ type: 'Validation', message: expect.stringMatching(/^email /) });
  });
});
