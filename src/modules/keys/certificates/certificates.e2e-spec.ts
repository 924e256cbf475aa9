import { X509Certificate } from 'node:crypto';
import {
  isAuthority,
  issue,
  issueAuthority,
  issueForDevice,
  signs,
  usedFor,
  type Issued,
} from '../../../../test/make/certificates.js';
import { makeApplication, makeMember, makeOrg } from '../../../../test/make/make.js';
import { rowsReadBy } from '../../../../test/suites/plans.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const { test, user, application } = suite();
const FIELD = 'applicationCertificate.certificate';
const UNSIGNED = `${FIELD} must be signed by a certificate authority of the application`;
let path: string;
let authority: Issued;
let authorityId: string;
beforeEach(async () => {
  path = `/applications/${application.id}/certificates`;
  authority = await issueAuthority({ subject: 'CN=Field CA' });
  authorityId = (await trust(authority.pem)).id;
});

async function trust(caBundle: string, applicationId = application.id) {
  const at = `/applications/${applicationId}/certificate-authorities`;
  const { status, body } = await test.client.post(at, { name: 'Makers', caBundle }, { token: user.token });
  expect(status).toBe(201);
  return body;
}
const authorityPath = () => `/applications/${application.id}/certificate-authorities/${authorityId}`;
const create = (body: object, token = user.token) => test.client.post(path, body, { token });
const list = (query = '') => test.client.get(`${path}${query}`, { token: user.token });
const commonNames = (body: { items: { certificateInfo: { commonName?: string } }[] }) =>
  body.items.map(({ certificateInfo }) => certificateInfo.commonName);

async function expectRefused(certificate: string, message: string) {
  const { status, body } = await create({ certificate });
  expect([status, body]).toEqual([400, { type: 'Validation', message }]);
}

describe('A device certificate', () => {
  it('can be registered with its details and minimal access, returned, updated and deleted', async () => {
    const { pem } = await issueForDevice(authority, { subject: 'CN=Pump 1', serialNumber: '4a01ff' });
    const { status, body } = await create({ certificate: pem });
    expect(status).toBe(201);
    const { validTo, fingerprint } = new X509Certificate(pem);
    expect(body).toEqual({
      id: body.id,
      applicationCertificateId: body.id,
      applicationId: application.id,
      creationDate: body.creationDate,
      lastUpdated: body.creationDate,
      status: 'active',
      certificate: pem,
      certificateInfo: {
        commonName: 'Pump 1',
        issuerName: 'Field CA',
        serialNumber: '4a:01:ff',
        fingerprint,
        notValidBefore: expect.any(String),
        notValidAfter: new Date(validTo).toISOString(),
      },
      deviceIds: [],
      deviceTags: [],
      filterType: 'none',
      pubTopics: [],
      subTopics: [],
    });
    const own = `${path}/${body.id}`;
    const other = await issueForDevice(authority, { subject: 'CN=Pump 2' });
    const changes = {
      certificate: other.pem,
      status: 'inactive',
      filterType: 'whitelist',
      pubTopics: ['a/b'],
      subTopics: ['c/#'],
      description: 'the other one',
    };
    const changed = await test.client.patch(own, changes, { token: user.token });
    expect(changed.body).toMatchObject({ ...changes, certificateInfo: { commonName: 'Pump 2' } });
    expect((await test.client.get(own, { token: user.token })).body).toEqual(changed.body);
    // The certificate no longer counts toward the limit.
    expect((await create({ certificate: pem })).status).toBe(201);
    expect((await test.client.delete(own, { token: user.token })).body).toEqual({ success: true });
    expect((await test.client.get(own, { token: user.token })).status).toBe(404);
  });

  it('accepts the devices that can use it, which cannot be changed later', async () => {
    const { pem } = await issueForDevice(authority);
    const id = newId();
    const devices = { deviceIds: [id.toUpperCase()], deviceTags: [{ key: 'site', value: 'north' }, {}] };
    const { body } = await create({ certificate: pem, ...devices, status: 'inactive' });
    expect(body).toMatchObject({ ...devices, deviceIds: [id], status: 'inactive' });
    const { status } = await test.client.patch(`${path}/${body.id}`, devices, { token: user.token });
    expect(status).toBe(400);
  });

  it('can be registered once per application, even with different PEM text, and again in another', async () => {
    const { pem } = await issueForDevice(authority);
    expect((await create({ certificate: pem })).status).toBe(201);
    const [, ...lines] = pem.trimEnd().split('\n');
    const oneLine = `-----BEGIN CERTIFICATE-----\n${lines.slice(0, -1).join('')}\n-----END CERTIFICATE-----`;
    await expectRefused(oneLine, `${FIELD} is already registered`);
    const { body: other } = await create({ certificate: (await issueForDevice(authority)).pem });
    const taken = await test.client.patch(`${path}/${other.id}`, { certificate: pem }, { token: user.token });
    expect(taken.body.message).toBe(`${FIELD} is already registered`);
    const elsewhere = await makeApplication(test, user.token);
    await trust(authority.pem, elsewhere.id);
    path = `/applications/${elsewhere.id}/certificates`;
    expect((await create({ certificate: pem })).status).toBe(201);
  });

  it('is rejected if its issuer name does not match its signature', async () => {
    const impostor = await issueAuthority({ subject: authority.subject });
    await expectRefused((await issueForDevice(impostor)).pem, UNSIGNED);
    const { pem } = await issueForDevice({ ...authority, subject: 'CN=Somebody' });
    await expectRefused(pem, UNSIGNED);
    const other = await issueAuthority();
    await trust(other.pem + authority.pem + impostor.pem);
    expect((await create({ certificate: (await issueForDevice(impostor)).pem })).status).toBe(201);
  });

  it('is rejected if only another application trusts its authority', async () => {
    const stranger = await issueAuthority();
    const elsewhere = await makeApplication(test, user.token);
    await trust(stranger.pem, elsewhere.id);
    await expectRefused((await issueForDevice(stranger)).pem, UNSIGNED);
  });

  it('can be signed by any certificate in a bundle, but not by one that is only subordinate to it', async () => {
    const root = await issueAuthority();
    const below = await issueAuthority({ issuer: root });
    const device = await issueForDevice(below);
    await trust(root.pem);
    await expectRefused(device.pem, UNSIGNED);
    await trust(root.pem + below.pem);
    expect((await create({ certificate: device.pem })).status).toBe(201);
  });

  it('is accepted from an inactive authority, but not from one that is deleted or has another bundle', async () => {
    await test.client.patch(authorityPath(), { status: 'inactive' }, { token: user.token });
    const { status, body } = await create({ certificate: (await issueForDevice(authority)).pem });
    expect(status).toBe(201);
    const { pem: caBundle } = await issueAuthority();
    await test.client.patch(authorityPath(), { caBundle }, { token: user.token });
    await expectRefused((await issueForDevice(authority)).pem, UNSIGNED);
    await test.client.patch(authorityPath(), { caBundle: authority.pem }, { token: user.token });
    await test.client.delete(authorityPath(), { token: user.token });
    await expectRefused((await issueForDevice(authority)).pem, UNSIGNED);
    // Certificates that it signed earlier remain registered and can be updated.
    const changed = await test.client.patch(
      `${path}/${body.id}`,
      { status: 'inactive' },
      { token: user.token },
    );
    expect(changed.body).toMatchObject({ id: body.id, status: 'inactive' });
  });

  it('is rejected if it does not meet the requirements', async () => {
    const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
    const plain = await issueForDevice(authority, { extensions: [] });
    await expectRefused(plain.pem, `${FIELD} must have extendedKeyUsage with clientAuth`);
    const server = await issueForDevice(authority, { extensions: [usedFor('1.3.6.1.5.5.7.3.1')] });
    await expectRefused(server.pem, `${FIELD} must have extendedKeyUsage with clientAuth`);
    const above = await issue({
      issuer: authority,
      extensions: [isAuthority(), signs(), usedFor(CLIENT_AUTH)],
    });
    await expectRefused(above.pem, `${FIELD} must be the certificate of a device, not of an authority`);
    const [one, two] = [await issueForDevice(authority), await issueForDevice(authority)];
    await expectRefused(one.pem + two.pem, `${FIELD} must be exactly one certificate`);
    await expectRefused(one.pem + authority.pem, `${FIELD} must be exactly one certificate`);
    await expectRefused(' '.repeat(50), `${FIELD} must contain at least one certificate`);
    const key = '-----BEGIN PRIVATE KEY-----\nQUJD\n-----END PRIVATE KEY-----\n';
    await expectRefused(
      one.pem + key,
      `${FIELD} must not contain a private key: keep it with the device or the authority`,
    );
  });

  it('is recorded in the audit log under its common name', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    await trust(authority.pem, id);
    path = `/applications/${id}/certificates`;
    const { pem } = await issueForDevice(authority, { subject: 'CN=Pump 1' });
    const { body } = await create({ certificate: pem });
    const logged = await test.client.get(`/orgs/${org.id}/audit-logs`, { token: user.token });
    expect(logged.body.items[0]).toMatchObject({
      requestResource: 'applicationCertificates',
      secondaryTargetType: 'ApplicationCertificate',
      secondaryTargetId: body.id,
      secondaryTargetName: 'Pump 1',
    });
  });

  it('runs one SQL statement to find its authority among many, and one to insert it', async () => {
    await test.dataSource.query(
      `INSERT INTO application_certificate_authorities (id, creation_date, last_updated, application_id, status, name,
         ca_bundle, ca_info, subject_keys)
       SELECT substr(md5($1 || n), 1, 24), now(), now(), $1, 'active', 'many', '', '[]', ARRAY[md5(n::text)]
       FROM generate_series(1, 5000) n`,
      [application.id],
    );
    await test.dataSource.query('ANALYZE application_certificate_authorities');
    const { pem } = await issueForDevice(authority);
    const { status, sent } = await statementCounter(test)('POST', path, user.token, { certificate: pem });
    expect(status).toBe(201);
    expect(sent).toHaveLength(2);
    const read = await rowsReadBy(test.dataSource, sent[0]!);
    expect(read).toEqual({ application_certificate_authorities: 1 });
  });
});

describe('The certificates of an application', () => {
  it('can be listed by common name, paged, sorted and filtered', async () => {
    for (const subject of ['CN=pump b', 'O=nobody', 'CN=valve', 'CN=pump a'])
      await create({ certificate: (await issueForDevice(authority, { subject })).pem });
    const { body } = await list();
    expect(commonNames(body)).toEqual(['pump a', 'pump b', 'valve', undefined]);
    expect(body).toMatchObject({ sortField: 'certificateInfo.commonName', totalCount: 4 });
    const descending = await list(
      '?sortField=certificateInfo.commonName&sortDirection=desc&perPage=2&page=1',
    );
    expect(commonNames(descending.body)).toEqual(['pump b', 'pump a']);
    const found = await list('?filterField=certificateInfo.commonName&filter=PUMP*&perPage=1');
    expect(commonNames(found.body)).toEqual(['pump a']);
    expect(found.body.totalCount).toBe(2);
    const { id } = body.items[2];
    await test.client.patch(`${path}/${id}`, { status: 'inactive' }, { token: user.token });
    expect((await list('?filterField=status&filter=inactive')).body.items).toMatchObject([{ id }]);
    expect((await list('?sortField=certificateInfo.fingerprint')).status).toBe(400);
  });

  it('can be read with the role view and written with the role collaborate', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    await trust(authority.pem, id);
    path = `/applications/${id}/certificates`;
    const statuses: number[][] = [];
    for (const role of ['none', 'view', 'collaborate'] as const) {
      const { token } = await makeMember(test, org.id, role);
      const { pem } = await issueForDevice(authority);
      const read = await test.client.get(path, { token });
      statuses.push([read.status, (await create({ certificate: pem }, token)).status]);
    }
    expect(statuses).toEqual([
      [404, 404],
      [200, 403],
      [200, 201],
    ]);
  });
});
