import {
  foreignPair,
  providerPair,
  readRequest,
  signedResponse,
  signedXml,
  toBase64,
  type ResponseOptions,
} from '../../../../../test/doubles/saml-identity-provider.js';
import { expectRefusal, provider, service, startSignIn } from '../../../../../test/make/saml-sign-in.js';
import { createSamlRequest, verifySamlResponse } from './saml-verifier.js';

let { store, inResponseTo, options, verify } = await startSignIn();

beforeEach(async () => {
  ({ store, inResponseTo, options, verify } = await startSignIn());
});

const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);

describe('createSamlRequest', () => {
  it('returns the URL of the provider with a request that contains our URLs', async () => {
    const url = new URL(await createSamlRequest(provider, service, store));
    expect(`${url.origin}${url.pathname}`).toBe('https://idp.corp.test/sso');
    expect(url.searchParams.get('tenant')).toBe('7');
    expect(url.searchParams.get('RelayState')).toBe('corp.test');
    expect(readRequest(url.href)).toEqual({
      id: expect.stringMatching(/^_[0-9a-f]{40}$/),
      issuer: service.entityId,
      acsUrl: service.acsUrl.replaceAll('&', '&amp;'),
      destination: provider.entryPoint,
    });
  });

  it('accepts responses to the request for 15 minutes', async () => {
    store.clock = later(14.9);
    await expect(verify(await signedResponse(options()))).resolves.toMatchObject({ email: 'ada@corp.test' });
  });
});

describe('A valid SAML response', () => {
  it('identifies the user', async () => {
    const attributes = { firstName: 'Ada', lastName: 'Lovelace & King' };
    await expect(verify(await signedResponse(options({ attributes })))).resolves.toEqual({
      nameId: 'ada@corp.test',
      email: 'ada@corp.test',
      firstName: 'Ada',
      lastName: 'Lovelace & King',
    });
  });

  it.each([
    'email',
    'mail',
    'urn:oid:0.9.2342.19200300.100.1.3',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  ])('can contain the email address in the attribute %s', async (name) => {
    const response = await signedXml(
      options({
        nameId: 'u-1815',
        nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
        edit: (xml) => xml.replace('Name="email"', `Name="${name}"`),
      }),
    );
    await expect(verify(toBase64(response))).resolves.toMatchObject({
      nameId: 'u-1815',
      email: 'ada@corp.test',
    });
  });

  it('returns the email address in lower case', async () => {
    const response = await signedResponse(options({ email: 'Ada@CORP.test' }));
    await expect(verify(response)).resolves.toMatchObject({ email: 'ada@corp.test' });
  });

  it('can also be signed as a whole', async () => {
    const response = await signedResponse(options({ signResponse: true }));
    await expect(verify(response)).resolves.toMatchObject({ email: 'ada@corp.test' });
  });

  it('can be signed with any of the certificates', async () => {
    const changing = { ...provider, certificates: [foreignPair.cert, providerPair.cert] };
    const response = await signedResponse(options());
    await expect(verifySamlResponse(response, changing, service, store)).resolves.toBeDefined();
  });

  it('can have line breaks in its Base64 and an XML declaration', async () => {
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\r\n${await signedXml(options())}\n`;
    await expect(verify(toBase64(xml).replace(/.{76}/g, '$&\r\n'))).resolves.toBeDefined();
  });

  it.each([-0.9, 5.9])('can be up to one minute early or late (%d minutes)', async (minutes) => {
    const response = await signedResponse(options({ lifetime: 300 }));
    await expect(verify(response, later(minutes))).resolves.toBeDefined();
  });

  it('can list hundreds of groups', async () => {
    const groups = Array.from({ length: 400 }, (_, index) => `group ${index}`);
    await expect(verify(await signedResponse(options({ attributes: { groups } })))).resolves.toBeDefined();
  });

  it('does not hide errors of the store', async () => {
    const failure = new Error('connection lost');
    store.consumeRequest = () => Promise.reject(failure);
    await expect(verify(await signedResponse(options()))).rejects.toBe(failure);
  });
});

describe('single use', () => {
  it('rejects a response that has been used', async () => {
    const response = await signedResponse(options());
    await verify(response);
    await expectRefusal(verify(response), /no request of this domain/);
  });

  it('rejects an assertion that has been used, regardless of the request that it answers', async () => {
    store.consumeRequest = async () => true;
    const response = await signedResponse(options());
    await verify(response);
    await expectRefusal(verify(response), /used before/);
  });

  it('accepts one of many concurrent uses', async () => {
    const response = await signedResponse(options());
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => verify(response)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('remembers the assertion until it is too old to be accepted', async () => {
    let until: Date | undefined;
    store.claimAssertion = async (_id, _domain, time) => {
      until = time;
      return true;
    };
    const response = await signedResponse(options({ lifetime: 300 }));
    await verify(response);
    await expectRefusal(verify(response, until), /conditions do not hold/);
  });

  it('does not consume the request if the response is rejected', async () => {
    await expectRefusal(verify(await signedResponse(options(foreignPair))), /Invalid signature/);
    await expect(verify(await signedResponse(options()))).resolves.toBeDefined();
  });

  it('rejects an unsolicited response', async () => {
    await expectRefusal(
      verify(await signedResponse(options({ inResponseTo: undefined }))),
      /has no InResponseTo/,
    );
  });

  it('rejects a response to a request that we did not create', async () => {
    await expectRefusal(
      verify(await signedResponse(options({ inResponseTo: '_unknown' }))),
      /no request of this/,
    );
  });

  it('rejects a response to an expired request', async () => {
    const response = await signedResponse(options());
    store.clock = later(15.1);
    await expectRefusal(verify(response), /no request of this domain/);
  });

  it('rejects a response to a request for another domain', async () => {
    const other = { ...provider, domain: 'other.test' };
    const foreign = readRequest(await createSamlRequest(other, service, store)).id;
    await expectRefusal(
      verify(await signedResponse(options({ inResponseTo: foreign }))),
      /no request of this domain/,
    );
  });

  it('rejects a response and an assertion that answer different requests', async () => {
    const xml = await signedXml(options({ inResponseTo: '_other' }));
    const redirected = xml.replace('InResponseTo="_other"', `InResponseTo="${inResponseTo}"`);
    await expectRefusal(verify(toBase64(redirected)), /different requests/);
  });
});

describe('validity period', () => {
  it('rejects an expired assertion', async () => {
    const response = await signedResponse(options({ lifetime: 300 }));
    await expectRefusal(verify(response, later(6.1)), /conditions do not hold/);
  });

  it('rejects an assertion that is not yet valid', async () => {
    await expectRefusal(verify(await signedResponse(options()), later(-1.1)), /conditions do not hold/);
  });

  it('rejects a confirmation that expires before its assertion', async () => {
    const edit = (xml: string) =>
      xml.replace(/(<saml:SubjectConfirmationData[^>]* NotOnOrAfter=)"[^"]*"/, '$1"2020-01-01T00:00:00Z"');
    await expectRefusal(verify(await signedResponse(options({ edit }))), /no bearer confirmation/);
  });

  it.each(['soon', '2999-01-01T00:00:00'])('rejects the time "%s"', async (time) => {
    const edit = (xml: string) => xml.replace(/(<saml:Conditions[^>]* NotOnOrAfter=)"[^"]*"/, `$1"${time}"`);
    await expectRefusal(verify(await signedResponse(options({ edit }))), /not a (valid date|time)/);
  });
});

describe('addresses and content', () => {
  const without = (pattern: RegExp) => (xml: string) => {
    expect(xml).toMatch(pattern);
    return xml.replace(pattern, '');
  };

  it.each<[string, Partial<ResponseOptions>, RegExp]>([
    ['another audience', { audience: 'https://other.test' }, /audience mismatch/],
    [
      'no audience',
      { edit: without(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/s) },
      /Audience/,
    ],
    ['no conditions', { edit: without(/<saml:Conditions.*<\/saml:Conditions>/s) }, /./],
    ['another recipient', { recipient: 'https://other.test/sso' }, /no bearer confirmation/],
    ['another destination', { destination: 'https://other.test/sso' }, /another destination/],
    ['another issuer', { issuer: 'https://other.test' }, /response has another issuer/],
    ['a failure', { statusCode: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }, /status .*Responder/],
    [
      'no confirmation',
      { edit: without(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/s) },
      /no bearer/,
    ],
    ['a confirmation without end', { edit: without(/ NotOnOrAfter="[^"]*"(?= Recipient)/) }, /NotOnOrAfter/],
    [
      'a confirmation of another kind',
      { edit: (xml) => xml.replace('cm:bearer', 'cm:sender-vouches') },
      /no bearer confirmation/,
    ],
    [
      'no sign-in statement',
      { edit: without(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/s) },
      /not about a sign-in/,
    ],
    ['an email address of another domain', { email: 'ada@other.test' }, /not of this domain/],
    ['an email address of a longer domain', { email: 'ada@corp.test.evil.test' }, /not of this domain/],
    ['an email address of a subdomain', { email: 'ada@sub.corp.test' }, /not of this domain/],
    ['two at signs', { email: 'ada@evil.test@corp.test' }, /not of this domain/],
    [
      'no email address',
      { nameIdFormat: 'urn:x', edit: without(/<saml:Attribute .*<\/saml:Attribute>/s) },
      /email/,
    ],
    ['no NameID', { edit: without(/<saml:NameID.*<\/saml:NameID>/s) }, /exactly one NameID/],
  ])('rejects %s', async (_, overrides, reason) => {
    await expectRefusal(verify(await signedResponse(options(overrides))), reason);
  });

  it('rejects an assertion by another issuer in a response by the right one', async () => {
    const xml = await signedXml(options({ issuer: 'https://other.test' }));
    const renamed = xml.replace('>https://other.test<', `>${provider.issuer}<`);
    await expectRefusal(verify(toBase64(renamed)), /assertion has another issuer/);
  });
});
