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
  it('sends the browser to the provider with a request for our addresses', async () => {
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

  it('remembers the request for 15 minutes', async () => {
    store.clock = later(14.9);
    await expect(verify(await signedResponse(options()))).resolves.toMatchObject({ email: 'ada@corp.test' });
  });
});

describe('a valid response', () => {
  it('tells who signed in', async () => {
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
  ])('may carry the e-mail address in the attribute %s', async (name) => {
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

  it('gives the e-mail address in lower case', async () => {
    const response = await signedResponse(options({ email: 'Ada@CORP.test' }));
    await expect(verify(response)).resolves.toMatchObject({ email: 'ada@corp.test' });
  });

  it('may be signed as a whole besides', async () => {
    const response = await signedResponse(options({ signResponse: true }));
    await expect(verify(response)).resolves.toMatchObject({ email: 'ada@corp.test' });
  });

  it('may be signed by any of the certificates', async () => {
    const changing = { ...provider, certificates: [foreignPair.cert, providerPair.cert] };
    const response = await signedResponse(options());
    await expect(verifySamlResponse(response, changing, service, store)).resolves.toBeDefined();
  });

  it('may come with line breaks in its base64 and an XML declaration', async () => {
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\r\n${await signedXml(options())}\n`;
    await expect(verify(toBase64(xml).replace(/.{76}/g, '$&\r\n'))).resolves.toBeDefined();
  });

  it.each([-0.9, 5.9])('may be a minute early or late (%d minutes)', async (minutes) => {
    const response = await signedResponse(options({ lifetime: 300 }));
    await expect(verify(response, later(minutes))).resolves.toBeDefined();
  });

  it('may list hundreds of groups', async () => {
    const groups = Array.from({ length: 400 }, (_, index) => `group ${index}`);
    await expect(verify(await signedResponse(options({ attributes: { groups } })))).resolves.toBeDefined();
  });

  it('leaves the failures of the store what they are', async () => {
    const failure = new Error('connection lost');
    store.takeRequest = () => Promise.reject(failure);
    await expect(verify(await signedResponse(options()))).rejects.toBe(failure);
  });
});

describe('one use', () => {
  it('refuses a response that was used', async () => {
    const response = await signedResponse(options());
    await verify(response);
    await expectRefusal(verify(response), /no request of this domain/);
  });

  it('refuses an assertion that was used, whatever it answers', async () => {
    store.takeRequest = async () => true;
    const response = await signedResponse(options());
    await verify(response);
    await expectRefusal(verify(response), /used before/);
  });

  it('accepts one of many uses at once', async () => {
    const response = await signedResponse(options());
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => verify(response)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('keeps the assertion in mind until it is too old to be accepted', async () => {
    let until: Date | undefined;
    store.claimAssertion = async (_id, _domain, time) => {
      until = time;
      return true;
    };
    const response = await signedResponse(options({ lifetime: 300 }));
    await verify(response);
    await expectRefusal(verify(response, until), /conditions do not hold/);
  });

  it('does not use up the request for a response that is refused', async () => {
    await expectRefusal(verify(await signedResponse(options(foreignPair))), /Invalid signature/);
    await expect(verify(await signedResponse(options()))).resolves.toBeDefined();
  });

  it('refuses an unsolicited response', async () => {
    await expectRefusal(
      verify(await signedResponse(options({ inResponseTo: undefined }))),
      /answers no request/,
    );
  });

  it('refuses the answer to a request that we did not make', async () => {
    await expectRefusal(
      verify(await signedResponse(options({ inResponseTo: '_unknown' }))),
      /no request of this/,
    );
  });

  it('refuses the answer to a request that has expired', async () => {
    const response = await signedResponse(options());
    store.clock = later(15.1);
    await expectRefusal(verify(response), /no request of this domain/);
  });

  it('refuses the answer to a request for another domain', async () => {
    const other = { ...provider, domain: 'other.test' };
    const foreign = readRequest(await createSamlRequest(other, service, store)).id;
    await expectRefusal(
      verify(await signedResponse(options({ inResponseTo: foreign }))),
      /no request of this domain/,
    );
  });

  it('refuses a response and an assertion that answer different requests', async () => {
    const xml = await signedXml(options({ inResponseTo: '_other' }));
    const redirected = xml.replace('InResponseTo="_other"', `InResponseTo="${inResponseTo}"`);
    await expectRefusal(verify(toBase64(redirected)), /different requests/);
  });
});

describe('time', () => {
  it('refuses an expired assertion', async () => {
    const response = await signedResponse(options({ lifetime: 300 }));
    await expectRefusal(verify(response, later(6.1)), /conditions do not hold/);
  });

  it('refuses an assertion of the future', async () => {
    await expectRefusal(verify(await signedResponse(options()), later(-1.1)), /conditions do not hold/);
  });

  it('refuses a confirmation that has expired before its assertion', async () => {
    const edit = (xml: string) =>
      xml.replace(/(<saml:SubjectConfirmationData[^>]* NotOnOrAfter=)"[^"]*"/, '$1"2020-01-01T00:00:00Z"');
    await expectRefusal(verify(await signedResponse(options({ edit }))), /no bearer confirmation/);
  });

  it.each(['soon', '2999-01-01T00:00:00'])('refuses the time "%s"', async (time) => {
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
    ['an e-mail address of another domain', { email: 'ada@other.test' }, /not of this domain/],
    ['an e-mail address of a longer domain', { email: 'ada@corp.test.evil.test' }, /not of this domain/],
    ['an e-mail address of a subdomain', { email: 'ada@sub.corp.test' }, /not of this domain/],
    ['two at signs', { email: 'ada@evil.test@corp.test' }, /not of this domain/],
    [
      'no e-mail address',
      { nameIdFormat: 'urn:x', edit: without(/<saml:Attribute .*<\/saml:Attribute>/s) },
      /e-mail/,
    ],
    ['no NameID', { edit: without(/<saml:NameID.*<\/saml:NameID>/s) }, /exactly one NameID/],
  ])('refuses %s', async (_, overrides, reason) => {
    await expectRefusal(verify(await signedResponse(options(overrides))), reason);
  });

  it('refuses an assertion by another issuer in a response by the right one', async () => {
    const xml = await signedXml(options({ issuer: 'https://other.test' }));
    const renamed = xml.replace('>https://other.test<', `>${provider.issuer}<`);
    await expectRefusal(verify(toBase64(renamed)), /assertion has another issuer/);
  });
});
