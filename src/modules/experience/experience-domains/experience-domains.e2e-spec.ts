import { createPrivateKey, generateKeyPairSync, type KeyObject, webcrypto } from 'node:crypto';
import {
  isAuthority,
  issue,
  issueAuthority,
  issueForDomain,
  newKeys,
  usedFor,
  named,
  type Issued,
} from '../../../../test/make/certificates.js';
import { makeApplication, makeMember, makeOrg, tokenOf, uniqueName } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { newId } from '../../../platform/repositories/resource.js';

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const DAY = 86_400_000;

const { test, user } = suite();
let org: { id: string };
let application: { id: string };
let path: string;
let domainName: string;
beforeEach(async () => {
  org = await makeOrg(test, user.token);
  application = await makeApplication(test, user.token, { orgId: org.id });
  path = `/applications/${application.id}/experience/domains`;
  domainName = `${uniqueName('d')}.example.com`;
});

const create = (body: object, token = user.token) => test.client.post(path, body, { token });
const patch = (id: string, body: object) => test.client.patch(`${path}/${id}`, body, { token: user.token });
const get = (id: string) => test.client.get(`${path}/${id}`, { token: user.token });
const list = async () => (await test.client.get(path, { token: user.token })).body;
const keyOf = async ({ keys }: Issued, type: 'pkcs8' | 'sec1' | 'pkcs1' = 'pkcs8'): Promise<string> => {
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  return key.export({ type: type, format: 'pem' }) as string;
};
/** Returns the certificate and key for a domain. */
const proofOf = async (issued: Issued) => ({ sslCert: issued.pem, sslKey: await keyOf(issued) });

async function made(body: object = {}): Promise<any> {
  const answer = await create({ domainName, ...body });
  expect(answer.status).toBe(201);
  return answer.body;
}

async function expectRefused(body: object, message: string) {
  const answer = await create({ domainName, ...body });
  expect([answer.status, answer.body]).toEqual([
    400,
    { type: 'Validation', message: expect.stringContaining(`experienceDomain.${message}`) },
  ]);
}

describe('A domain of an experience', () => {
  it('is created with a certificate, returned without its key, updated and deleted', async () => {
    const authority = await issueAuthority();
    const issued = await issueForDomain([domainName], { issuer: authority });
    const { sslCert, sslKey } = await proofOf(issued);
    const body = await made({ sslCert, sslKey, sslBundle: authority.pem, version: 'develop' });
    expect(body).toEqual({
      id: body.id,
      experienceDomainId: body.id,
      applicationId: application.id,
      creationDate: body.creationDate,
      lastUpdated: body.creationDate,
      domainName,
      version: 'develop',
      sslCert,
      sslBundle: authority.pem,
    });
    expect((await get(body.id)).body).toEqual(body);
    expect(await list()).toEqual({
      items: [body],
      count: 1,
      totalCount: 1,
      applicationId: application.id,
    });
    const changed = await patch(body.id, { version: null, sslBundle: null });
    const { version: _version, sslBundle: _bundle, ...rest } = body;
    expect(changed.body).toEqual({ ...rest, lastUpdated: expect.any(String) });
    expect((await test.client.delete(`${path}/${body.id}`, { token: user.token })).body).toEqual({
      success: true,
    });
    expect((await get(body.id)).status).toBe(404);
    await made();
  });

  it('stores its key encrypted in the context of its own row', async () => {
    const proof = await proofOf(await issueForDomain([domainName]));
    const { id } = await made(proof);
    const [row] = await test.dataSource.query('SELECT * FROM experience_domains WHERE id = $1', [id]);
    const [secret] = proof.sslKey.split('\n').slice(1);
    expect(JSON.stringify(row)).not.toContain(secret);
    const box = test.app.get(SecretBox);
    expect(box.open(row.ssl_key_sealed, `experience_domains:ssl_key_sealed:${id}`)).toBe(proof.sslKey);
    expect(() => box.open(row.ssl_key_sealed, `experience_domains:ssl_key_sealed:${newId()}`)).toThrow();
  });

  it('has a lower-case name that is unique on the platform, including with concurrent requests', async () => {
    const applications = await Promise.all(
      [1, 2, 3, 4].map(() => makeApplication(test, user.token, { orgId: org.id })),
    );
    const answers = await Promise.all(
      applications.map(({ id }, i) => {
        const name = i % 2 ? domainName : domainName.toUpperCase();
        return test.client.post(
          `/applications/${id}/experience/domains`,
          { domainName: name },
          { token: user.token },
        );
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 201)!.body.domainName).toBe(domainName);
    await expectRefused({}, 'domainName is not available');
  });

  it('points to versions by name and ID, and to none after the version is deleted', async () => {
    const versions = `/applications/${application.id}/experience/versions`;
    const { body: version } = await test.client.post(versions, { version: 'v1' }, { token: user.token });
    const { id } = await made({ version: 'v1' });
    expect((await patch(id, { version: null })).body).not.toHaveProperty('version');
    expect((await patch(id, { version: version.id })).body.version).toBe('v1');
    await test.client.delete(`${versions}/v1`, { token: user.token });
    expect((await get(id)).body).not.toHaveProperty('version');
    const refused = await patch(id, { version: 'v1' });
    expect(refused.body.message).toBe('experienceDomain.version does not match a version of the application');
  });

  it('is rejected for applications that do not belong to an organization', async () => {
    const { id } = await makeApplication(test, user.token);
    path = `/applications/${id}/experience/domains`;
    await expect(create({ domainName })).resolves.toMatchObject({
      status: 400,
      body: { message: 'experienceDomain is supported only for applications of an organization' },
    });
    expect((await list()).items).toEqual([]);
  });

  it.each([
    'localhost',
    '*.com',
    'a..example.com',
    '-a.example.com',
    'a_b.example.com',
    'a.*.example.com',
    '*a.example.com',
    '203.0.113.7',
    'example.com.',
    'example.com/x',
    'example.com:443',
    'exam ple.com',
    '\u212aelvin.example.com',
  ])('rejects the name %j', async (name) => {
    await expectRefused({ domainName: name }, 'domainName must be a domain');
  });

  it.each([
    [{ domainName: 'ab' }, 'domainName must have at least 3 characters'],
    [{ domainName: `${'a'.repeat(40)}.example.com` }, 'domainName must have at most 45 characters'],
    [{ domainName: undefined }, 'domainName is required'],
    [{ sslCert: 'x'.repeat(49) }, 'sslCert must have at least 50 characters'],
    [{ sslKey: 'x'.repeat(32768) }, 'sslKey must have at most 32767 characters'],
    [{ versionId: newId() }, 'versionId is not a property'],
  ])('is not created from %j', async (body, message) => {
    await expectRefused(body, message);
  });
});

describe('The certificate of a domain', () => {
  let proof: { sslCert: string; sslKey: string };
  beforeEach(async () => {
    proof = await proofOf(await issueForDomain([domainName]));
  });

  it.each<[string, (domain: string) => string[]]>([
    ['its name', (domain) => [domain]],
    ['its name in upper case, among others', (domain) => ['other.example.org', domain.toUpperCase()]],
    ['a wildcard of its label', () => ['*.example.com']],
  ])('can contain %s', async (_, names) => {
    await made(await proofOf(await issueForDomain(names(domainName))));
  });

  it.each([['*.example.com'], ['*.a.example.com']])(
    'must contain the name for the wildcard domain %s',
    async (name) => {
      domainName = name.replace('*', `*.${uniqueName('w')}`);
      await made(await proofOf(await issueForDomain([domainName])));
      await expectRefused(await proofOf(await issueForDomain([domainName.slice(2)])), 'sslCert must include');
    },
  );

  it.each<[string, (domain: string) => Promise<Issued>]>([
    ['of another domain', () => issueForDomain(['other.example.com'])],
    ['of the domain above', () => issueForDomain(['example.com'])],
    ['of a wildcard two labels above', () => issueForDomain(['*.com'])],
    ['of one below', (domain) => issueForDomain([`a.${domain}`])],
    ['whose common name alone is the domain', (domain) => issue({ subject: `CN=${domain}` })],
  ])('is rejected %s', async (_, make) => {
    await expectRefused(
      await proofOf(await make(domainName)),
      `sslCert must include ${domainName} in its names (subjectAltName)`,
    );
  });

  it('is rejected before and after its validity period', async () => {
    const ended = await issueForDomain([domainName], { notAfter: new Date(Date.now() - 60_000) });
    await expectRefused(await proofOf(ended), 'sslCert must be valid now');
    const later = await issueForDomain([domainName], { notBefore: new Date(Date.now() + 3_600_000) });
    await expectRefused(await proofOf(later), 'sslCert must be valid now');
  });

  it('must allow server authentication if it has an extended key usage', async () => {
    const client = await issue({ extensions: [named([domainName]), usedFor(CLIENT_AUTH)] });
    await expectRefused(await proofOf(client), 'sslCert must be a server certificate');
    const both = await issue({ extensions: [named([domainName]), usedFor(CLIENT_AUTH, SERVER_AUTH)] });
    await made(await proofOf(both));
  });

  it('must be a single certificate, and not a certificate authority signed by another', async () => {
    const { sslCert, sslKey } = proof;
    await expectRefused({ sslCert: sslCert + sslCert, sslKey }, 'sslCert must be exactly one certificate');
    const issuer = await issueAuthority();
    const authority = await issueAuthority({ issuer, extensions: [isAuthority(), named([domainName])] });
    await expectRefused(await proofOf(authority), 'sslCert must be a domain certificate');
    await expectRefused({ sslCert: sslCert + sslKey, sslKey }, 'sslCert must not contain a private key');
    await expectRefused(
      { sslCert: 'x'.repeat(100), sslKey },
      'sslCert must contain only certificates in PEM format',
    );
  });

  it('and its key require each other', async () => {
    const { sslCert, sslKey } = proof;
    await expectRefused({ sslCert }, 'sslKey is required');
    await expectRefused({ sslKey }, 'sslCert is required');
    await expectRefused({ sslBundle: (await issueAuthority()).pem }, 'sslCert is required');
    await expectRefused(
      { sslCert, sslKey: await keyOf(await issueForDomain([domainName])) },
      'sslKey must be the key of the certificate',
    );
  });

  it.each<[string, () => string]>([
    ['encrypted', () => pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, 'secret')],
    ['of another kind', () => pemOf(generateKeyPairSync('x25519').privateKey)],
    ['a certificate', () => proof.sslCert],
    ['two', () => proof.sslKey + proof.sslKey],
    ['followed by something', () => `${proof.sslKey}more`],
    ['cut off', () => proof.sslKey.replace(/[A-Za-z0-9+/]{20}(?=\n-----END)/, '')],
    ['of another label', () => proof.sslKey.replaceAll('PRIVATE KEY', 'RSA PRIVATE KEY')],
    ['long and of no end', () => `-----BEGIN PRIVATE KEY-----${'A'.repeat(30_000)}`],
  ])('rejects a key that is %s without revealing its content', async (_, make) => {
    const answer = await create({ domainName, sslCert: proof.sslCert, sslKey: make() });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/^experienceDomain\.sslKey (must|is not) [\w ,]+( here)?$/);
  });

  it('accepts keys in the formats that OpenSSL writes', async () => {
    const issued = await issueForDomain([domainName]);
    await made({ sslCert: issued.pem, sslKey: await keyOf(issued, 'sec1') });
    domainName = `${uniqueName('d')}.example.com`;
    const rsa = {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    };
    const signed = await issueForDomain([domainName], {
      keys: await newKeys(rsa),
      issuer: await issueAuthority(),
    });
    await made({ sslCert: signed.pem, sslKey: await keyOf(signed, 'pkcs1') });
  });

  it('requires each certificate of the bundle to have signed the preceding one', async () => {
    const root = await issueAuthority();
    const below = await issueAuthority({ issuer: root });
    const given = await proofOf(await issueForDomain([domainName], { issuer: below }));
    await expectRefused({ ...given, sslBundle: root.pem }, 'sslBundle: certificate 1 did not sign sslCert');
    await expectRefused(
      { ...given, sslBundle: below.pem + (await issueAuthority({ subject: root.subject })).pem },
      'sslBundle: certificate 2 did not sign certificate 1',
    );
    const { id, sslBundle } = await made({ ...given, sslBundle: below.pem + root.pem });
    expect(sslBundle).toBe(below.pem + root.pem);
    expect((await patch(id, { sslBundle: below.pem })).body.sslBundle).toBe(below.pem);
  });
});

describe('Updating a domain', () => {
  it('validates new values together with stored ones', async () => {
    const keys = await newKeys();
    const first = await issueForDomain([domainName], { keys });
    const { id } = await made(await proofOf(first));
    const renewed = await issueForDomain([domainName], { keys, notAfter: new Date(Date.now() + 9 * DAY) });
    expect((await patch(id, { sslCert: renewed.pem })).body.sslCert).toBe(renewed.pem);
    const messageOf = async (body: object) => (await patch(id, body)).body.message;
    const other = await issueForDomain([domainName]);
    expect(await messageOf({ sslCert: other.pem })).toBe(
      'experienceDomain.sslKey must be the key of the certificate',
    );
    expect(await messageOf({ sslKey: await keyOf(other) })).toBe(
      'experienceDomain.sslKey must be the key of the certificate',
    );
    expect(await messageOf({ sslKey: null })).toBe('experienceDomain.sslKey is required with a certificate');
    expect(await messageOf({ sslCert: null })).toBe(
      'experienceDomain.sslCert is required with a key or bundle',
    );
    const renamed = `${uniqueName('d')}.example.com`;
    expect(await messageOf({ domainName: renamed })).toContain(`must include ${renamed} in its names`);
    expect((await patch(id, await proofOf(other))).body.sslCert).toBe(other.pem);
    const bare = await patch(id, { sslCert: null, sslKey: null });
    expect(bare.body).not.toHaveProperty('sslCert');
    expect((await patch(id, { domainName: renamed })).body.domainName).toBe(renamed);
  });

  it('changes only the version even when the certificate has expired', async () => {
    const { id } = await made(await proofOf(await issueForDomain([domainName])));
    const ended = await issueForDomain([domainName], { notAfter: new Date(Date.now() - DAY) });
    await test.dataSource.query('UPDATE experience_domains SET ssl_cert = $2 WHERE id = $1', [id, ended.pem]);
    expect((await patch(id, { version: 'develop' })).body.version).toBe('develop');
  });

  it('keeps certificate and key consistent with concurrent requests', async () => {
    const { id } = await made();
    const proofs = await Promise.all(
      [1, 2, 3, 4].map(async () => proofOf(await issueForDomain([domainName]))),
    );
    const answers = await Promise.all(proofs.map((proof) => patch(id, proof)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { sslCert } = (await get(id)).body;
    const { sslKey } = proofs.find((proof) => proof.sslCert === sslCert)!;
    const [row] = await test.dataSource.query('SELECT ssl_key_sealed FROM experience_domains WHERE id = $1', [
      id,
    ]);
    const box = test.app.get(SecretBox);
    expect(box.open(row.ssl_key_sealed, `experience_domains:ssl_key_sealed:${id}`)).toBe(sslKey);
  });
});

describe('The domains of an application', () => {
  it('require view to read and collaborate to write', async () => {
    const statuses = await Promise.all(
      (['none', 'view', 'collaborate'] as const).map(async (role) => {
        const { token } = await makeMember(test, org.id, role);
        const read = await test.client.get(path, { token });
        return [read.status, (await create({ domainName }, token)).status];
      }),
    );
    expect(statuses).toEqual([
      [404, 404],
      [200, 403],
      [200, 201],
    ]);
  });

  it.each([
    [undefined, 401, 401],
    ['experienceDomains.get', 200, 403],
    ['experienceDomains.*', 200, 201],
    ['experienceDomain.get', 403, 403],
    ['all.User.cli', 200, 403],
    ['all.Application', 200, 201],
  ])('return, with the scope %s, %i on reads and %i on writes', async (scope, read, written) => {
    const token = scope && tokenOf(test, user.id, [scope]);
    expect((await test.client.get(path, { token })).status).toBe(read);
    expect((await test.client.post(path, { domainName }, { token })).status).toBe(written);
  });
});

function pemOf(key: KeyObject, passphrase?: string): string {
  const cipher = passphrase ? { cipher: 'aes-256-cbc', passphrase } : {};
  return key.export({ type: 'pkcs8', format: 'pem', ...cipher }) as string;
}
