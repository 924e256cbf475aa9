import { unfolded } from '../../test/make/folding.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DataSource } from 'typeorm';
import { PASSWORD, uniqueName } from '../../test/make/make.js';
import { User } from '../modules/accounts/users/user.entity.js';
import {
  addSsoProvider,
  certificateWarnings,
  listSsoProviders,
  removeSsoProvider,
  ssoProvider,
} from './sso.js';
import { suite } from '../../test/setup/suite.js';
import { createUser, setPassword } from './users.js';

const CERTIFICATE = resolve('test/fixtures/idp-cert.pem');
const OTHER_CERTIFICATE = resolve('test/fixtures/other-idp-cert.pem');
const NEW_PASSWORD = 'Horse-Correct-8';
const EC_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBcDCCARegAwIBAgIULGDRMeEKkW2Vw3QXCZIm8fX6BKgwCgYIKoZIzj0EAwIw
DTELMAkGA1UEAwwCZWMwIBcNMjYxMTIxMDYyMjI4WhgPMjEyNjEwMjgwNjIyMjha
MA0xCzAJBgNVBAMMAmVjMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE3en6u5vC
+nYYqAHZ1KAuZCpT65DphsR74wbHn9gWI4q+FAESTep9wY4+qbYwjD6FJR7r/d4l
Ph/FcUj8KTmkoaNTMFEwHQYDVR0OBBYEFPt1lTy/kV5suIO852sEKqug+3xlMB8G
A1UdIwQYMBaAFPt1lTy/kV5suIO852sEKqug+3xlMA8GA1UdEwEB/wQFMAMBAf8w
CgYIKoZIzj0EAwIDRwAwRAIgIrXW57fSdx0omHqaNQOsfzlnUaT3y34PzzqU0qrE
YR0CIC9vENHvlMMLRQYXvBE+a+AtAI5sNQrnIRm183RzKLGA
-----END CERTIFICATE-----
`;

const { test } = suite();
let dataSource: DataSource;
let folder: string;

beforeAll(async () => {
  ({ dataSource } = test);
  folder = await mkdtemp(join(tmpdir(), 'fieldwright-sso-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

const signIn = (email: string, password: string) => test.client.post('/auth/user', { email, password });

describe('single sign-on', () => {
  const settings = {
    entryPoint: 'https://idp.example.com/sso',
    issuer: 'https://idp.example.com',
    certificateFiles: [CERTIFICATE],
  };
  const domainOf = () => `${uniqueName('d')}.example.com`;

  it('sends the users of a domain to its provider until the provider is removed', async () => {
    const domain = domainOf();
    const ask = () => test.client.get(`/auth/ssoDomain?email=ada@${domain}`);
    expect((await ask()).status).toBe(204);
    expect(await addSsoProvider(dataSource, ssoProvider(domain.toUpperCase(), settings))).toEqual({
      replaced: false,
    });
    expect((await ask()).body.ssoRequest).toContain('https://idp.example.com/sso?SAMLRequest=');
    expect(await removeSsoProvider(dataSource, domain)).toBe(0);
    expect((await ask()).status).toBe(204);
    await expect(removeSsoProvider(dataSource, domain)).rejects.toThrow(`${domain} has no single sign-on.`);
  });

  it('replaces the provider of a domain', async () => {
    const domain = domainOf();
    await addSsoProvider(
      dataSource,
      ssoProvider(domain, { ...settings, acsUrl: 'http://localhost:3000/auth/user/saml' }),
    );
    const change = { ...settings, issuer: 'another', certificateFiles: [CERTIFICATE, OTHER_CERTIFICATE] };
    expect(await addSsoProvider(dataSource, ssoProvider(domain, change))).toEqual({ replaced: true });
    const listed = (await listSsoProviders(dataSource)).filter((provider) => provider.domain === domain);
    expect(listed).toMatchObject([{ issuer: 'another', acsUrl: null, certificates: { length: 2 } }]);
  });

  it('rejects passwords for users of a provider, and allows them once the provider is removed', async () => {
    const domain = domainOf();
    const email = `ada@${domain}`;
    const id = await createUser(dataSource, { email, password: PASSWORD });
    await dataSource.manager.update(User, { id }, { ssoLinked: true });
    await addSsoProvider(dataSource, ssoProvider(domain, settings));
    await expect(setPassword(dataSource, email, NEW_PASSWORD)).rejects.toThrow(
      'signs in through the identity provider',
    );
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(401);
    expect(await removeSsoProvider(dataSource, domain)).toBe(1);
    await setPassword(dataSource, email, NEW_PASSWORD);
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);
  });

  it.each([
    'example',
    '-a.com',
    'a..com',
    'exa_mple.com',
    'ada@example.com',
    'https://example.com',
    'ex ample.com',
    `${'a'.repeat(42)}.com`,
    '',
    ...unfolded('ski-i.example'),
  ])('rejects the domain %s', (domain) =>
    expect(() => ssoProvider(domain, settings)).toThrow('is not an email domain'),
  );

  it.each([
    [
      { entryPoint: 'ftp://idp.example.com' },
      'The entry point "ftp://idp.example.com" is not an http or https URL.',
    ],
    [{ entryPoint: 'idp.example.com' }, 'is not an http or https URL.'],
    [{ acsUrl: 'javascript:alert(1)' }, 'The ACS URL "javascript:alert(1)" is not an http or https URL.'],
    [{ issuer: ' ' }, 'The issuer must not be blank.'],
    [{ certificateFiles: ['missing.pem'] }, 'missing.pem cannot be read: ENOENT.'],
    [
      { certificateFiles: [resolve('test/fixtures/idp-key.pem')] },
      'must contain one certificate in PEM format, but contains none.',
    ],
  ])('rejects %j', (change, message) => {
    expect(() => ssoProvider('example.com', { ...settings, ...change })).toThrow(message);
  });

  it.each([
    [
      'two certificates',
      EC_CERTIFICATE.repeat(2),
      'must contain one certificate in PEM format, but contains 2.',
    ],
    ['a broken certificate', EC_CERTIFICATE.replace('MIIB', 'MIIC'), 'is not an X.509 certificate.'],
    [
      'a key that signs no SAML here',
      EC_CERTIFICATE,
      'is for a key of type ec; only RSA signatures are accepted.',
    ],
  ])('rejects a file with %s', async (_what, content, message) => {
    const file = join(folder, 'given.pem');
    await writeFile(file, content);
    expect(() => ssoProvider('example.com', { ...settings, certificateFiles: [CERTIFICATE, file] })).toThrow(
      message,
    );
  });

  it('warns about a certificate that is not currently valid', () => {
    const provider = ssoProvider('example.com', settings);
    expect(certificateWarnings(provider)).toEqual([]);
    expect(certificateWarnings(provider, new Date('2200-01-01'))).toEqual([
      expect.stringContaining('has expired'),
    ]);
    expect(certificateWarnings(provider, new Date('2000-01-01'))).toEqual([
      expect.stringContaining('is not valid yet'),
    ]);
  });
});
