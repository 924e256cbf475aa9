import { unfolded } from '../../../../test/make/folding.js';
import { makeUser, PASSWORD, uniqueName } from '../../../../test/make/make.js';
import {
  foreignPair,
  providerPair,
  signedResponse,
  signedXml,
  toBase64,
  type ResponseOptions,
} from '../../../../test/doubles/saml-identity-provider.js';
import { BEHIND_PROXY, claimsOf, clientAddress, signIn } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { User } from '../users/user.entity.js';
import { SsoDomain } from './auth.resource.js';
import { SamlIds } from './saml/saml-ids.js';
import { ACS_URL, PUBLIC_URL, samlIn } from '../../../../test/make/saml-domains.js';

const { test } = suite({ ...BEHIND_PROXY, PUBLIC_URL });
const { makeDomain, requestId, answerOf, post, signInAs } = samlIn(test);

const users = (email: string) => test.dataSource.manager.findBy(User, { email });

describe('POST /auth/user/saml', () => {
  const expectRefused = (answer: Awaited<ReturnType<typeof post>>) => {
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ type: 'Unauthorized', message: 'SAML response is not valid' });
  };

  it('creates an unknown user', async () => {
    const domain = await makeDomain();
    const email = `Ada@${domain.domain}`;
    const { status, body } = await signInAs(domain, {
      email,
      attributes: { firstName: 'Ada', lastName: 'Lovelace' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({ userId: expect.any(String), token: expect.any(String) });
    const me = await test.client.get('/me', { token: body.token });
    expect(me.body).toMatchObject({
      id: body.userId,
      email: email.toLowerCase(),
      emailVerified: true,
      ssoLinked: true,
      firstName: 'Ada',
      lastName: 'Lovelace',
    });
    expect(
      (await test.client.post('/applications', { name: uniqueName() }, { token: body.token })).status,
    ).toBe(201);
  });

  it('recognizes the user again, ignoring the case of the domain and the address', async () => {
    const domain = await makeDomain();
    const { body: first } = await signInAs(domain);
    const answer = await signedResponse(
      await answerOf(domain, { email: `ADA@${domain.domain.toUpperCase()}` }),
    );
    const again = await post({ ...domain, domain: domain.domain.toUpperCase() }, answer);
    expect(again.status).toBe(200);
    expect(again.body.userId).toBe(first.userId);
    expect(await users(`ada@${domain.domain}`)).toHaveLength(1);
  });

  it('does not match addresses or domains that are equal only after lower-casing or normalization', async () => {
    const domain = await makeDomain({ domain: `ski-${uniqueName()}.test` });
    const email = `ski-risk@${domain.domain}`;
    const { id } = await makeUser(test, { email });
    for (const odd of unfolded(email)) expectRefused(await signInAs(domain, { email: odd }));
    const answer = await signedResponse(await answerOf(domain, { email }));
    for (const odd of unfolded(domain.domain)) expectRefused(await post({ ...domain, domain: odd }, answer));
    const { body } = await post(domain, answer);
    expect(body.userId).toBe(id);
  });

  it('links an existing user and disables their password', async () => {
    const domain = await makeDomain();
    const { id, email } = await makeUser(test, {
      email: `ada@${domain.domain}`,
      firstName: 'Ada',
      failedLoginCount: 3,
    });
    const { status, body } = await signInAs(domain, { attributes: { firstName: 'Other' } });
    expect(status).toBe(200);
    expect(body.userId).toBe(id);
    const [user] = await users(email);
    expect(user).toMatchObject({
      ssoLinked: true,
      firstName: 'Ada',
      lastSuccessfulLogin: expect.any(Date),
      failedLoginCount: 0,
    });
    expect((await signIn(test, { email, password: PASSWORD })).status).toBe(401);
  });

  it('does not link an account with an unverified address', async () => {
    const domain = await makeDomain();
    const squatter = await makeUser(test, { email: `ada@${domain.domain}`, emailVerified: false });
    const { status, body } = await signInAs(domain);
    expect(status).toBe(401);
    expect(body.message).toBe('This address belongs to an account that never verified it');
    expect(await users(squatter.email)).toMatchObject([{ id: squatter.id, ssoLinked: false }]);
  });

  it('creates one user for two concurrent first sign-ins', async () => {
    const domain = await makeDomain();
    const answers = await Promise.all([answerOf(domain), answerOf(domain)]);
    const responses = await Promise.all(answers.map(signedResponse));
    const [one, two] = await Promise.all(responses.map((response) => post(domain, response)));
    expect([one!.status, two!.status]).toEqual([200, 200]);
    expect(one!.body.userId).toBe(two!.body.userId);
    expect(await users(`ada@${domain.domain}`)).toHaveLength(1);
  });

  it('issues a token with the requested scopes and lifetime', async () => {
    const domain = await makeDomain();
    const usual = claimsOf((await signInAs(domain)).body.token);
    expect(usual.scope).toEqual(['all.User']);
    expect(usual.exp! - usual.iat).toBeCloseTo(86_400, 3);
    const asked = claimsOf(
      (await signInAs(domain, {}, { requestedScopes: ['me.get'], tokenTTL: 60 })).body.token,
    );
    expect(asked.scope).toEqual(['me.get']);
    expect(asked.exp! - asked.iat).toBeCloseTo(60, 3);
  });

  it('accepts a response for the consumer URL configured by the operator', async () => {
    const domain = await makeDomain({ acsUrl: 'https://app.example.com/sso' });
    expect((await signInAs(domain)).status).toBe(200);
    expectRefused(await signInAs(domain, { acsUrl: ACS_URL }));
  });

  it('accepts either certificate during a key rollover', async () => {
    const domain = await makeDomain({ certificates: [foreignPair.cert, providerPair.cert] });
    expect((await signInAs(domain)).status).toBe(200);
    expect((await signInAs(domain, foreignPair)).status).toBe(200);
  });

  describe('accepts a response once', () => {
    it('when sent repeatedly', async () => {
      const domain = await makeDomain();
      const response = await signedResponse(await answerOf(domain));
      expect((await post(domain, response)).status).toBe(200);
      expectRefused(await post(domain, response));
    });

    it('when sent twice concurrently', async () => {
      const domain = await makeDomain();
      const response = await signedResponse(await answerOf(domain));
      const both = await Promise.all([post(domain, response), post(domain, response)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    });

    it('even if a second assertion answers the same request', async () => {
      const domain = await makeDomain();
      const options = await answerOf(domain);
      expect((await post(domain, await signedResponse(options))).status).toBe(200);
      expectRefused(await post(domain, await signedResponse(options)));
    });

    it('and keeps the request open if a forged response arrives first', async () => {
      const domain = await makeDomain();
      const options = await answerOf(domain);
      expectRefused(await post(domain, await signedResponse({ ...options, ...foreignPair })));
      expect((await post(domain, await signedResponse(options))).status).toBe(200);
    });
  });

  describe('rejects a response', () => {
    it.each<[string, Partial<ResponseOptions>]>([
      ['that is not signed', { signAssertion: false }],
      [
        'that is signed around the assertion only by its envelope',
        { signAssertion: false, signResponse: true },
      ],
      ['signed by somebody else', foreignPair],
      ['signed with SHA-1', { signatureAlgorithm: 'rsa-sha1', digestAlgorithm: 'sha1' }],
      ['that has expired', { lifetime: -120 }],
      ['that nobody asked for', { inResponseTo: undefined }],
      ['to a request that was never made', { inResponseTo: `_${'0'.repeat(40)}` }],
      ['for another audience', { audience: 'https://elsewhere.test' }],
      ['for another recipient', { recipient: 'https://elsewhere.test/saml' }],
      ['for another destination', { destination: 'https://elsewhere.test/saml' }],
      ['of another issuer', { issuer: 'https://elsewhere.test/metadata' }],
      ['about a user of another domain', { email: 'ada@elsewhere.test' }],
      ['about a user of a domain below', { email: 'ada@sub.corp.test' }],
      ['about the failure of a sign-in', { statusCode: 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed' }],
      ['that is encrypted', { encrypted: true }],
    ])('%s', async (_, more) => {
      const domain = await makeDomain();
      expectRefused(await signInAs(domain, more));
      expect(await users(`ada@${domain.domain}`)).toEqual([]);
    });

    it('in which the assertion was replaced around the signature', async () => {
      const domain = await makeDomain();
      const xml = await signedXml(await answerOf(domain));
      const signed = /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)![0];
      const forged = signed
        .replace(/<Signature.*?<\/Signature>/s, '')
        .replace(/ ID="[^"]*"/, ' ID="_forged"')
        .replaceAll('ada@', 'eve@');
      const wrappings = [
        xml.replace(signed, forged + signed),
        xml.replace(signed, signed + forged),
        xml.replace(signed, `<samlp:Extensions>${signed}</samlp:Extensions>${forged}`),
        xml.replace(
          signed,
          forged.replace('<saml:Subject>', `<saml:Advice>${signed}</saml:Advice><saml:Subject>`),
        ),
      ];
      for (const wrapped of wrappings) {
        expect(wrapped).toContain('eve@');
        expectRefused(await post(domain, toBase64(wrapped)));
      }
      expect(await users(`eve@${domain.domain}`)).toEqual([]);
    });

    it('that was modified after signing', async () => {
      const domain = await makeDomain();
      const xml = await signedXml(await answerOf(domain));
      expectRefused(await post(domain, toBase64(xml.replaceAll('ada@', 'eve@'))));
    });

    it.each(['<!---->', '<!-- x -->', '<?x y?>'])('with %s in the name, as it was signed', async (markup) => {
      const domain = await makeDomain();
      const { domain: name } = domain;
      for (const written of [`ada@${name}${markup}.evil.test`, `ada${markup}@${name}`]) {
        const edit = (xml: string) => xml.replace(`>ada@${name}</saml:NameID>`, `>${written}</saml:NameID>`);
        expectRefused(await signInAs(domain, { edit }));
      }
      expect(await users(`ada@${name}`)).toEqual([]);
    });

    it('to a request that is 15 minutes old', async () => {
      const domain = await makeDomain();
      const inResponseTo = test.app.get(SamlIds).issueRequest(domain.domain, new Date(Date.now() - 1));
      expectRefused(await signInAs(domain, { inResponseTo }));
    });

    it('to a request for another domain, even of the same provider', async () => {
      const [mine, theirs] = [await makeDomain(), await makeDomain()];
      await test.dataSource.manager.update(SsoDomain, { domain: theirs.domain }, { issuer: mine.issuer });
      const inResponseTo = await requestId(theirs);
      expectRefused(await signInAs(mine, { inResponseTo }));
    });

    it('submitted for another domain', async () => {
      const [mine, theirs] = [await makeDomain(), await makeDomain()];
      const response = await signedResponse(await answerOf(mine));
      expectRefused(await post(theirs, response));
      expectRefused(await post({ ...mine, domain: 'nowhere.test' }, response));
      expect((await post(mine, response)).status).toBe(200);
    });

    it.each([
      '%%%%',
      'PGEvPg==',
      toBase64('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'),
    ])('that is malformed (%s)', async (text) => expectRefused(await post(await makeDomain(), text)));

    it('and reports the reason only in the log', async () => {
      const domain = await makeDomain();
      expectRefused(await signInAs(domain, { audience: 'https://elsewhere.test' }));
      const told = () =>
        test.log
          .join('')
          .split('\n')
          .filter((line) => line.includes(domain.domain));
      expect(told().at(-1)).toMatch(/was refused: .*audience/i);
    });
  });

  it.each<[string, unknown, string]>([
    ['no response', { SAMLDomain: 'corp.test' }, 'saml.SAMLResponse is required'],
    ['no domain', { SAMLResponse: 'PGEvPg==' }, 'saml.SAMLDomain is required'],
    ['a short response', { SAMLResponse: 'PGE', SAMLDomain: 'corp.test' }, 'saml.SAMLResponse'],
    ['a long response', { SAMLResponse: 'P'.repeat(100_001), SAMLDomain: 'corp.test' }, 'saml.SAMLResponse'],
    ['a short domain', { SAMLResponse: 'PGEvPg==', SAMLDomain: 'a' }, 'saml.SAMLDomain'],
    ['a long domain', { SAMLResponse: 'PGEvPg==', SAMLDomain: 'a'.repeat(46) }, 'saml.SAMLDomain'],
    [
      'an unknown property',
      { SAMLResponse: 'PGEvPg==', SAMLDomain: 'a.b', RelayState: '' },
      'saml.RelayState',
    ],
    [
      'an unknown scope',
      { SAMLResponse: 'PGEvPg==', SAMLDomain: 'a.b', requestedScopes: ['x'] },
      'saml.requestedScopes',
    ],
  ])('rejects %s with 400', async (_, body, named) => {
    const answer = await test.client.post('/auth/user/saml', body, { headers: clientAddress() });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ type: 'Validation', message: expect.stringContaining(named) });
  });
});
