import {
  foreignPair,
  signedResponse,
  signedXml,
  toBase64,
  type ResponseOptions,
} from '../../../../../test/doubles/saml-identity-provider.js';
import { expectRefusal, startSignIn } from '../../../../../test/make/saml-sign-in.js';

let { options, verify } = await startSignIn();

beforeEach(async () => {
  ({ options, verify } = await startSignIn());
});

describe('signatures', () => {
  const tampered = async () =>
    (await signedXml(options())).replace('>ada@corp.test</saml:NameID>', '>eve@corp.test</saml:NameID>');

  it.each<[string, () => Promise<string>, RegExp]>([
    ['no signature', () => signedXml(options({ signAssertion: false })), /Invalid signature/],
    ['the key of somebody else', () => signedXml(options(foreignPair)), /Invalid signature/],
    [
      'a signature around the response alone',
      () => signedXml(options({ signAssertion: false, signResponse: true })),
      /Invalid signature/,
    ],
    ['a changed NameID', tampered, /Invalid signature/],
    [
      'a broken signature around the response',
      async () =>
        (await signedXml(options({ signResponse: true }))).replace(
          'Version="2.0" IssueInstant',
          'Version="2.1" IssueInstant',
        ),
      /Invalid document signature/,
    ],
    [
      'RSA-SHA1',
      () => signedXml(options({ signatureAlgorithm: 'rsa-sha1' })),
      /SignatureMethod is not an accepted/,
    ],
    [
      'a SHA-1 digest',
      () => signedXml(options({ digestAlgorithm: 'sha1' })),
      /DigestMethod is not an accepted/,
    ],
    [
      'a second algorithm under a prefix',
      async () =>
        (await signedXml(options())).replace(
          '<DigestMethod ',
          '<DigestMethod xmlns:x="urn:x" x:Algorithm="http://www.w3.org/2000/09/xmldsig#sha1" ',
        ),
      /DigestMethod is not an accepted/,
    ],
    [
      'an encrypted assertion',
      () => signedXml(options({ encrypted: true })),
      /encrypted assertions are not supported/,
    ],
  ])('rejects %s', async (_, make, reason) => {
    await expectRefusal(verify(toBase64(await make())), reason);
  });
});

describe('signature wrapping', () => {
  /** Returns the parts of a signed response, and an assertion forged from the signed one. */
  async function parts(overrides: Partial<ResponseOptions> = {}) {
    const xml = await signedXml(options(overrides));
    const original = /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)![0];
    const signature = /<Signature.*?<\/Signature>/s.exec(original)![0];
    const forged = original.replace(signature, '').replaceAll('ada@corp.test', 'eve@corp.test');
    return { xml, original, signature, forged, evil: forged.replace(/ ID="[^"]*"/, ' ID="_evil"') };
  }

  it.each<[string, (made: Awaited<ReturnType<typeof parts>>) => string]>([
    ['the forged assertion first', ({ xml, original, evil }) => xml.replace(original, evil + original)],
    ['the forged assertion last', ({ xml, original, evil }) => xml.replace(original, original + evil)],
    ['the same ID, first', ({ xml, original, forged }) => xml.replace(original, forged + original)],
    ['the same ID, last', ({ xml, original, forged }) => xml.replace(original, original + forged)],
    [
      'the signed assertion in Extensions',
      ({ xml, original, evil }) =>
        xml.replace(original, `<samlp:Extensions>${original}</samlp:Extensions>${evil}`),
    ],
    [
      'the signed assertion within the forged one',
      ({ xml, original, evil }) =>
        xml.replace(
          original,
          evil.replace('<saml:Subject>', `<saml:Advice>${original}</saml:Advice><saml:Subject>`),
        ),
    ],
    [
      'the signed assertion in an Object of its signature, moved to the forged one',
      ({ xml, original, signature, evil }) => {
        const object = `<Object>${original.replace(signature, '')}</Object>`;
        const moved = signature.replace('</Signature>', `${object}</Signature>`);
        return xml.replace(original, evil.replace('</saml:Issuer>', `</saml:Issuer>${moved}`));
      },
    ],
    [
      'the signed assertion in an Object beside the forged one',
      ({ xml, original, evil }) =>
        xml.replace(
          original,
          `${evil}<Object xmlns="http://www.w3.org/2000/09/xmldsig#">${original}</Object>`,
        ),
    ],
  ])('rejects %s', async (_, wrap) => {
    const made = await parts();
    const wrapped = wrap(made);
    expect(wrapped).toContain('eve@corp.test');
    await expectRefusal(verify(toBase64(wrapped)), /must contain exactly one assertion/);
  });

  it('rejects a signed response within a forged one', async () => {
    const { xml, original, evil } = await parts({ signResponse: true });
    const outer = xml.replace(original, evil).replace('ID="_', 'ID="_0');
    const wrapped = outer.replace(
      '<samlp:Status>',
      `<samlp:Extensions>${xml}</samlp:Extensions><samlp:Status>`,
    );
    await expectRefusal(verify(toBase64(wrapped)), /must contain exactly one assertion/);
  });

  it('rejects the signature of one assertion on another', async () => {
    const { xml, original, signature, evil } = await parts();
    const moved = xml.replace(original, evil.replace('</saml:Issuer>', `</saml:Issuer>${signature}`));
    await expectRefusal(verify(toBase64(moved)), /Invalid signature/);
  });

  it('rejects two different signed assertions', async () => {
    const [one, two] = [await parts(), await parts({ email: 'bob@corp.test' })];
    const both = one.xml.replace(one.original, one.original + two.original);
    await expectRefusal(verify(toBase64(both)), /must contain exactly one assertion/);
  });
});

describe('malicious documents', () => {
  const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);

  it.each<[string, (xml: string) => string, RegExp]>([
    ['a document type', (xml) => `<!DOCTYPE r>${xml}`, /other than elements/],
    ['a document type with entities', (xml) => `<!DOCTYPE r [<!ENTITY e "x">]>${xml}`, /other than elements/],
    ['a comment before the domain', (xml) => xml.replace('ada@', 'ada<!--x-->@'), /other than elements/],
    ['a comment within the name', (xml) => xml.replace('>ada@', '>a<!-- -->da@'), /other than elements/],
    ['a processing instruction', (xml) => xml.replace('ada@', '<?x y?>ada@'), /other than elements/],
    ['CDATA', (xml) => xml.replace('>ada@corp.test<', '><![CDATA[ada@corp.test]]><'), /other than elements/],
    ['an unknown entity', (xml) => xml.replace('ada@', '&ada;@'), /entity/],
    [
      'deep nesting',
      (xml) => xml.replace('<samlp:Status>', `${nested(30_000)}<samlp:Status>`),
      /nested deeper than 32/,
    ],
    [
      'a crowd of elements',
      (xml) => xml.replace('<samlp:Status>', `${'<a/>'.repeat(500)}<samlp:Status>`),
      /too many/,
    ],
    [
      'a crowd of attributes',
      (xml) =>
        xml.replace(
          '<samlp:Status>',
          `<a${Array.from({ length: 2000 }, (_, i) => ` a${i}=""`).join('')}/><samlp:Status>`,
        ),
      /too many/,
    ],
    ['a long attribute', (xml) => xml.replace('ID="', `ID="${'_'.repeat(2048)}`), /attribute ID is too long/],
    ['an open element', (xml) => xml.replace('</samlp:Response>', ''), /not one whole document/],
    ['a second root', (xml) => `${xml}<a/>`, /not one whole document/],
    ['text around', (xml) => `${xml}!`, /not one whole document/],
    ['tags that do not pair', (xml) => xml.replace('</samlp:Status>', '</samlp:State>'), /do not pair/],
    ['a repeated attribute', (xml) => xml.replace(' ID="', ' ID="_0" ID="'), /occurs twice/],
    [
      'an attribute without quotes',
      (xml) => xml.replace('Version="2.0"', 'Version=2.0'),
      /other than elements/,
    ],
    ['another message', () => '<a/>', /not a SAML response/],
    ['no XML at all', () => 'hello', /not one whole document/],
    ['nothing', () => '', /not one whole document/],
  ])('rejects %s', async (_, edit, reason) => {
    await expectRefusal(verify(toBase64(edit(await signedXml(options())))), reason);
  });

  // The provider signs the whole address. Truncated at the comment, it would be an address of our domain.
  it.each(['ada@corp.test<!---->.evil.test', 'ada<!--@evil.test-->@corp.test'])(
    'never reads only part of the signed NameID %s',
    async (name) => {
      const edit = (xml: string) => xml.replace('>ada@corp.test</saml:NameID>', `>${name}</saml:NameID>`);
      await expectRefusal(verify(await signedResponse(options({ edit }))), /other than elements/);
    },
  );

  it('rejects an element within the NameID', async () => {
    const edit = (xml: string) =>
      xml.replace('>ada@corp.test</saml:NameID>', '>ada@corp.test<a/>.evil</saml:NameID>');
    await expectRefusal(verify(await signedResponse(options({ edit }))), /elements within its text/);
  });

  it('rejects a response larger than 256 KB', async () => {
    const xml = await signedXml(options());
    await expectRefusal(verify(toBase64(xml + ' '.repeat(256 * 1024))), /larger than/);
  });

  it('accepts a response just below 256 KB', async () => {
    const xml = await signedXml(options());
    await expect(verify(toBase64(xml + ' '.repeat(256 * 1024 - xml.length)))).resolves.toBeDefined();
  });

  it.each(['%%%%', 'abc', 'PGE+=', '\u0000'])('rejects the Base64 %j', async (text) => {
    await expectRefusal(verify(text), /not base64/);
  });

  it('rejects bytes that are not valid UTF-8', async () => {
    await expectRefusal(
      verify(Buffer.from([0x3c, 0xff, 0xfe]).toString('base64')),
      /encoded data was not valid/,
    );
  });
});
