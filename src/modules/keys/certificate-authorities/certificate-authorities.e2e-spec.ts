import { X509Certificate } from 'node:crypto';
import {
  isAuthority,
  issue,
  issueAuthority,
  issueForDevice,
  newKeys,
  signs,
  usedFor,
} from '../../../../test/make/certificates.js';
import { makeApplication, makeMember, makeOrg, tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { Extension, KeyUsageFlags } from '../../../lib/crypto/x509.js';
import type { Role } from '../../../platform/operations/operation.js';

const { test, user, application } = suite();
const FIELD = 'applicationCertificateAuthority.caBundle';
let path: string;
beforeEach(() => {
  path = `/applications/${application.id}/certificate-authorities`;
});

const create = (body: object, token = user.token) => test.client.post(path, body, { token });
const register = (caBundle: string, name = 'Makers') => create({ name, caBundle });
const list = (query = '') => test.client.get(`${path}${query}`, { token: user.token });

async function expectRefused(caBundle: string, message: string) {
  const { status, body } = await register(caBundle);
  expect([status, body]).toEqual([400, { type: 'Validation', message }]);
}

describe('A certificate authority', () => {
  it('can be registered with the details of its certificate, returned, updated and deleted', async () => {
    const [notBefore, notAfter] = [new Date('2026-01-02T03:04:05Z'), new Date('2049-01-02T03:04:05Z')];
    const { pem } = await issueAuthority({
      subject: 'CN=Field CA,O=Makers',
      serialNumber: '4ab001',
      notBefore,
      notAfter,
    });
    const { status, body } = await create({ name: 'Makers', caBundle: pem, description: 'of pumps' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      applicationCertificateAuthorityId: body.id,
      applicationId: application.id,
      creationDate: body.creationDate,
      lastUpdated: body.creationDate,
      name: 'Makers',
      description: 'of pumps',
      status: 'active',
      caBundle: pem,
      caInfo: [
        {
          commonName: 'Field CA',
          issuerName: 'Field CA',
          serialNumber: '4a:b0:01',
          fingerprint: new X509Certificate(pem).fingerprint,
          notValidBefore: notBefore.toISOString(),
          notValidAfter: notAfter.toISOString(),
        },
      ],
    });
    expect(body.caInfo[0].fingerprint).toMatch(/^([\dA-F]{2}:){19}[\dA-F]{2}$/);
    const own = `${path}/${body.id}`;
    const other = await issueAuthority({ subject: 'CN=Other' });
    const changes = { name: 'Others', status: 'inactive', caBundle: other.pem };
    const changed = await test.client.patch(own, changes, { token: user.token });
    expect(changed.body).toMatchObject({ ...changes, caInfo: [{ commonName: 'Other' }] });
    expect((await test.client.get(own, { token: user.token })).body).toEqual(changed.body);
    expect((await test.client.delete(own, { token: user.token })).body).toEqual({ success: true });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const sent = method === 'PATCH' ? { body: {} } : {};
      expect((await test.client.request(method, own, { token: user.token, ...sent })).status).toBe(404);
    }
  });

  it('can consist of a chain of certificates, in the order of the bundle', async () => {
    const root = await issueAuthority({ subject: 'CN=Root' });
    const below = await issueAuthority({ subject: 'CN=Below', issuer: root });
    const { body } = await register(`\n${below.pem}\r\n${root.pem}  `);
    expect(body.caInfo).toMatchObject([
      { commonName: 'Below', issuerName: 'Root' },
      { commonName: 'Root', issuerName: 'Root' },
    ]);
  });

  it('can have no common name and can be expired', async () => {
    const { pem } = await issueAuthority({
      subject: 'O=Makers',
      notBefore: new Date('2001-01-01'),
      notAfter: new Date('2002-01-01'),
    });
    const { status, body } = await register(pem);
    expect(status).toBe(201);
    expect(body.caInfo).toEqual([
      expect.objectContaining({ issuerName: 'O=Makers', notValidAfter: '2002-01-01T00:00:00.000Z' }),
    ]);
    expect(body.caInfo[0]).not.toHaveProperty('commonName');
  });

  it.each<[string, () => Extension[], string]>([
    ['nothing of what it needs', () => [], 'critical basicConstraints with CA:TRUE'],
    ['constraints that are not critical', () => [isAuthority(false), signs()], 'critical basicConstraints'],
    ['constraints without CA', () => [isAuthority(true, false), signs()], 'critical basicConstraints'],
    ['no key usage', () => [isAuthority()], 'critical keyUsage with keyCertSign and cRLSign'],
    ['key usage that is not critical', () => [isAuthority(), signs(false)], 'critical keyUsage'],
    [
      'no signing of certificates',
      () => [isAuthority(), signs(true, KeyUsageFlags.cRLSign)],
      'critical basicConstraints',
    ],
    [
      'no signing of lists',
      () => [isAuthority(), signs(true, KeyUsageFlags.keyCertSign)],
      'critical keyUsage',
    ],
  ])('is rejected with %s, by its number in the bundle', async (_, extensions, wanted) => {
    const good = await issueAuthority();
    const { pem } = await issue({ extensions: extensions() });
    const { status, body } = await register(good.pem + pem);
    expect([status, body.type]).toEqual([400, 'Validation']);
    expect(body.message.startsWith(`${FIELD}: certificate 2 must have ${wanted}`)).toBe(true);
    expect((await list()).body.totalCount).toBe(0);
  });

  it('is rejected with a weak key, a name that cannot be displayed, or an unsupported critical extension', async () => {
    const algorithm = {
      name: 'RSASSA-PKCS1-v1_5',
      hash: 'SHA-256',
      modulusLength: 1024,
      publicExponent: new Uint8Array([1, 0, 1]),
    };
    const issuer = await issueAuthority();
    const faults: [Parameters<typeof issueAuthority>[0], string][] = [
      [{ issuer, keys: await newKeys(algorithm) }, 'has an RSA key of fewer than 2048 bits'],
      [{ subject: `CN=${'x'.repeat(256)}` }, 'has a common name of more than 255 characters'],
      [{ subject: 'CN=a\u0000b' }, 'has a name with control characters'],
      [
        { notBefore: new Date('2027-01-01'), notAfter: new Date('2026-01-01') },
        'has an invalid validity period',
      ],
      [
        { extensions: [isAuthority(), signs(), new Extension('2.5.29.30', true, new Uint8Array([0x30, 0]))] },
        'has the critical extension 2.5.29.30, which is not supported',
      ],
    ];
    for (const [wanted, message] of faults)
      await expectRefused((await issueAuthority(wanted)).pem, `${FIELD}: certificate 1 ${message}`);
  });
});

describe('An invalid bundle', () => {
  const block = (label: string, content: Buffer | string) =>
    `-----BEGIN ${label}-----\n${Buffer.from(content).toString('base64')}\n-----END ${label}-----\n`;
  const UNREADABLE = `${FIELD}: certificate 1 is not a readable X.509 certificate`;
  const NO_PEM = (line: number) =>
    `${FIELD} must contain only certificates in PEM format, but line ${line} is not part of one`;
  const nested = (levels: number): Buffer => {
    let der: Buffer = Buffer.alloc(0);
    for (let i = 0; i < levels; i++)
      der = Buffer.concat([Buffer.from([0x30, 0x82, der.length >> 8, der.length & 255]), der]);
    return der;
  };

  it.each<[string, string, string]>([
    ['garbage', 'x'.repeat(60), NO_PEM(1)],
    ['a certificate without an end', `-----BEGIN CERTIFICATE-----\n${'QUJD'.repeat(20)}`, NO_PEM(1)],
    ['base64 of garbage', block('CERTIFICATE', 'x'.repeat(60)), UNREADABLE],
    [
      'an empty SEQUENCE',
      block('CERTIFICATE', Buffer.concat([Buffer.from([0x30, 0]), Buffer.alloc(40)])),
      UNREADABLE,
    ],
    ['deep ASN.1', block('CERTIFICATE', nested(5000)), UNREADABLE],
    ['endless ASN.1', block('CERTIFICATE', Buffer.alloc(20_000, '3080', 'hex')), UNREADABLE],
    [
      'another label',
      block('CERTIFICATE REQUEST', 'x'.repeat(60)),
      `${FIELD} must contain only certificates, but contains a CERTIFICATE REQUEST`,
    ],
    ['blanks', ' '.repeat(60), `${FIELD} must contain at least one certificate`],
    ['a dash too few', block('CERTIFICATE', 'x'.repeat(60)).replace('-----END', '----END'), NO_PEM(1)],
    ['begins without end', '-----BEGIN CERTIFICATE-----'.repeat(1200), NO_PEM(1)],
  ])('with %s is rejected', (_, bundle, message) => expectRefused(bundle, message));

  it('with other text next to a certificate, or bytes after its end, is rejected', async () => {
    const { pem } = await issueAuthority();
    const lines = pem.trimEnd().split('\n').length;
    await expectRefused(`# Makers\n${pem}`, NO_PEM(1));
    await expectRefused(`${pem}and so on`, NO_PEM(lines + 1));
    const der = new X509Certificate(pem).raw;
    const longer = block('CERTIFICATE', Buffer.concat([der, Buffer.from('more')]));
    await expectRefused(longer, `${FIELD}: certificate 1 has data after its end`);
    const binary = await register(der.toString('latin1'));
    expect([binary.status, binary.body.type]).toEqual([400, 'Validation']);
  });

  it('that exceeds the limits is rejected', async () => {
    const { pem } = await issueAuthority();
    await expectRefused(pem.repeat(100), `${FIELD} must have at most 32767 characters`);
    await expectRefused(pem.repeat(33), `${FIELD} must contain at most 32 certificates`);
    expect((await register(pem.repeat(32))).body.caInfo).toHaveLength(32);
  });

  it('with deeply nested ASN.1 in an extension is rejected', async () => {
    const deep = new Extension('2.5.29.17', false, new Uint8Array(nested(4000)));
    const { pem } = await issueAuthority({ extensions: [isAuthority(), signs(), deep] });
    await expectRefused(pem, UNREADABLE);
  });

  it('with a private key is rejected, and the key is not stored', async () => {
    const { pem, keys } = await issueAuthority();
    const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
    const message = `${FIELD} must not contain a private key: keep it with the device or the authority`;
    for (const key of [
      block('PRIVATE KEY', pkcs8),
      block('EC PRIVATE KEY', pkcs8).replace('-----END', '----END'),
    ]) {
      await expectRefused(key, message);
      await expectRefused(pem + key, message);
    }
    expect(test.log.join('')).not.toContain(pkcs8.toString('base64').slice(0, 40));
  });
});

describe('The certificate authorities of an application', () => {
  it('can be listed by name, paged, sorted and filtered', async () => {
    const { pem } = await issueAuthority();
    for (const name of ['pump b', 'valve', 'pump a']) await register(pem, name);
    const { body } = await list('?filter=PUMP*&perPage=1');
    expect(body).toMatchObject({ items: [{ name: 'pump a' }], count: 1, totalCount: 2 });
    expect(body).toMatchObject({ applicationId: application.id, sortField: 'name', sortDirection: 'asc' });
    const { id } = body.items[0];
    await test.client.patch(`${path}/${id}`, { status: 'inactive' }, { token: user.token });
    expect((await list('?filterField=status&filter=inactive')).body.items).toMatchObject([{ id }]);
    expect((await list('?sortField=status&sortDirection=desc')).body.items[0].id).toBe(id);
  });

  it.each<[object, string]>([
    [{ caBundle: 'x'.repeat(50) }, 'applicationCertificateAuthority.name is required'],
    [{ name: 'a' }, 'applicationCertificateAuthority.caBundle is required'],
    [{ name: 'a', caBundle: 'x' }, `${FIELD} must have at least 50 characters`],
    [
      { name: 'a', caBundle: 'x'.repeat(50), caInfo: [] },
      'applicationCertificateAuthority.caInfo is not a property of applicationCertificateAuthority',
    ],
  ])('reject %j', async (body, message) => {
    expect((await create(body)).body).toEqual({ type: 'Validation', message });
  });

  it.each<[Role, number, number]>([
    ['none', 404, 404],
    ['view', 200, 403],
    ['collaborate', 200, 201],
  ])('with the role %s return %i when read and %i when registered', async (role, read, written) => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    const { token } = await makeMember(test, org.id, role);
    path = `/applications/${id}/certificate-authorities`;
    const { pem } = await issueAuthority();
    expect((await test.client.get(path, { token })).status).toBe(read);
    expect((await create({ name: 'a', caBundle: pem }, token)).status).toBe(written);
  });

  it.each([
    [undefined, 401, 401],
    ['applicationCertificateAuthorities.get', 200, 403],
    ['applicationCertificateAuthority.*', 403, 403],
    ['all.Application.bounded', 200, 201],
    ['all.User.read', 200, 403],
  ])('with the scope %s return %i when read and %i when registered', async (scope, read, written) => {
    const token = scope && tokenOf(test, user.id, [scope]);
    const { pem } = await issueAuthority();
    expect((await test.client.get(path, { token })).status).toBe(read);
    expect((await test.client.post(path, { name: 'a', caBundle: pem }, { token })).status).toBe(written);
  });
});

it('A device certificate is rejected as an authority', async () => {
  const { pem } = await issueForDevice(await issueAuthority(), {
    extensions: [usedFor('1.3.6.1.5.5.7.3.2')],
  });
  await expectRefused(pem, `${FIELD}: certificate 1 must have critical basicConstraints with CA:TRUE`);
});
