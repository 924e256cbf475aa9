import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { trust } from '../../../../test/make/certificates.js';
import { makeDevice, signInWithCertificate } from '../../../../test/make/device-tokens.js';
import { describeWithOpenssl, Openssl } from '../../../../test/doubles/openssl.js';
import { BEHIND_PROXY } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';

const { test, user, application } = suite({ ...BEHIND_PROXY, CLIENT_CERTIFICATE_PROXIES: '127.0.0.1' });
let folder: string;
let openssl: Openssl;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldwright-openssl-'));
  openssl = await Openssl.in(folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** Formats a serial number like `openssl`, in colon-separated pairs of digits. */
const pairs = (hex = ''): string => hex.toLowerCase().match(/../g)!.join(':');

describeWithOpenssl('Certificates that openssl made', () => {
  it('are parsed as by openssl, and can be used to sign a device in', async () => {
    const { id } = await makeDevice(test, user.token, application.id);
    await trust(test, user.token, application.id, await openssl.authority('Makers of pumps'));
    const certificate = await openssl.device(`Pump ${id}`);
    const facts = await openssl.facts();

    const path = `/applications/${application.id}/certificates`;
    const body = { certificate, deviceIds: [id] };
    const registered = await test.client.post(path, body, { token: user.token });
    expect(registered.status).toBe(201);
    expect(registered.body.certificateInfo).toMatchObject({
      commonName: `Pump ${id}`,
      issuerName: 'Makers of pumps',
      serialNumber: pairs(facts.serial),
      fingerprint: Object.entries(facts).find(([name]) => /fingerprint/i.test(name))![1],
      notValidAfter: new Date(facts.notAfter!).toISOString(),
    });
    const signedIn = await signInWithCertificate(test, id, certificate);
    expect([signedIn.status, signedIn.body.deviceId]).toEqual([200, id]);
  });

  it('and signed itself, as an authority, are accepted for the device if the application trusts them', async () => {
    const { id } = await makeDevice(test, user.token, application.id);
    const { certificate } = await openssl.selfSigned(
      `Pump ${id}`,
      'keyUsage=critical,digitalSignature,keyCertSign,cRLSign',
      'extendedKeyUsage=clientAuth',
    );
    expect(new X509Certificate(certificate).ca).toBe(true);
    const path = `/applications/${application.id}/certificates`;
    const register = () => test.client.post(path, { certificate, deviceIds: [id] }, { token: user.token });
    expect((await register()).status).toBe(400);
    await trust(test, user.token, application.id, certificate);
    expect((await register()).status).toBe(201);
    const signedIn = await signInWithCertificate(test, id, certificate);
    expect([signedIn.status, signedIn.body.deviceId]).toEqual([200, id]);
    const other = await makeDevice(test, user.token, application.id);
    expect((await signInWithCertificate(test, other.id, certificate)).status).toBe(401);
  });

  it('of an unknown authority are rejected, and cannot be used to sign in', async () => {
    const { id } = await makeDevice(test, user.token, application.id);
    await openssl.authority('Somebody');
    const certificate = await openssl.device(id);
    const path = `/applications/${application.id}/certificates`;
    expect((await test.client.post(path, { certificate }, { token: user.token })).status).toBe(400);
    expect((await signInWithCertificate(test, id, certificate)).status).toBe(401);
  });
});
