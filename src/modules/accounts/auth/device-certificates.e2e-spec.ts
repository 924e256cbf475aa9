import { X509Certificate } from 'node:crypto';
import {
  isAuthority,
  issue,
  issueAuthority,
  issueForDevice,
  signs,
  trust,
  usedFor,
  type Issued,
} from '../../../../test/make/certificates.js';
import {
  makeAuthority,
  makeCertificate,
  makeDevice,
  makeKey,
  signInDevice,
  signInWithCertificate,
} from '../../../../test/make/device-tokens.js';
import { makeApplication } from '../../../../test/make/make.js';
import { BEHIND_PROXY, claimsOf, clientAddress } from '../../../../test/make/sign-in.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const DAY = 86_400;
const REFUSED = { type: 'Unauthorized', message: 'Device or certificate is wrong' };
const VOID = { type: 'Unauthorized', message: 'Invalid access token' };
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

const { test, other, user, application } = suite(
  {
    ...BEHIND_PROXY,
    CLIENT_CERTIFICATE_PROXIES: '127.0.0.1',
  },
  { retries: false },
);
let authority: Issued & { id: string };
let device: { id: string };
beforeEach(async () => {
  authority = await makeAuthority(test, user.token, application.id);
  device = await deviceOf();
});

const deviceOf = (body: object = {}) =>
  makeDevice(test, user.token, application.id, body) as Promise<{ id: string }>;
const at = (deviceId: string) => `/applications/${application.id}/devices/${deviceId}`;
const madeOutTo = ({ id }: { id: string }) => `CN=${id}`;
const register = (body: object, subject?: string) =>
  makeCertificate(test, user.token, application.id, { body, authority, subject });
const signIn = (pem: string, { id } = device, more?: object) => signInWithCertificate(test, id, pem, more);
const namesSeenBy = async (token: string) => {
  const { body } = await test.client.get(`/applications/${application.id}/devices`, { token });
  return body.items.map(({ name }: { name: string }) => name).sort();
};

async function tokenWith(pem: string, more?: object): Promise<string> {
  const { status, body } = await signIn(pem, device, more);
  expect(status).toBe(200);
  return body.token as string;
}

async function expectRefused(pem: string, of = device) {
  const { status, body } = await signIn(pem, of);
  expect([status, body]).toEqual([401, REFUSED]);
}

describe('A registered certificate', () => {
  it('signs in a selected device, and returns its topics and a working token', async () => {
    const topics = { filterType: 'whitelist', pubTopics: ['a/b'], subTopics: ['c/#'] };
    const { pem, claim } = await register({ deviceIds: [device.id], ...topics });
    const { status, body } = await signIn(pem, { id: device.id.toUpperCase() });
    expect(status).toBe(200);
    expect(body).toEqual({
      applicationId: application.id,
      deviceId: device.id,
      deviceClass: 'standalone',
      ownerType: 'user',
      ...topics,
      token: expect.any(String),
    });
    const { iat, exp, ...claims } = claimsOf(body.token);
    expect(claims).toEqual({
      iss: 'fieldwright',
      sub: device.id,
      ownerType: 'device',
      certificate: claim,
      scope: ['all.Device'],
    });
    expect(exp! - iat).toBeLessThanOrEqual(DAY);
    expect((await test.client.get(at(device.id), { token: body.token })).body.id).toBe(device.id);
  });

  it('gives access to the devices selected by ID and tag, and signs in no others', async () => {
    const tags = [{ key: 'site', value: 'north' }];
    const near = await deviceOf({ name: 'near', tags });
    const far = await deviceOf({ name: 'far', tags: [{ key: 'site', value: 'south' }] });
    const { pem } = await register({ deviceIds: [device.id], deviceTags: tags });
    const { body } = await signIn(pem, near);
    expect(await namesSeenBy(body.token)).toEqual(expect.arrayContaining(['near']));
    expect(await namesSeenBy(body.token)).not.toContain('far');
    await expectRefused(pem, far);
    expect((await test.client.get(at(far.id), { token: body.token })).status).toBe(404);
  });

  it('that selects no device signs in none, even if its common name is a device ID', async () => {
    await expectRefused((await register({}, madeOutTo(device))).pem);
  });

  it('that is inactive, deleted or replaced signs in no device, even if its common name is a device ID', async () => {
    const path = (id: string) => `/applications/${application.id}/certificates/${id}`;
    const names = { deviceIds: [device.id] };
    const inactive = await register({ ...names, status: 'inactive' }, madeOutTo(device));
    await expectRefused(inactive.pem);
    const deleted = await register(names, madeOutTo(device));
    await tokenWith(deleted.pem);
    await test.client.delete(path(deleted.id!), { token: user.token });
    await expectRefused(deleted.pem);
    const replaced = await register(names, madeOutTo(device));
    const { pem } = await issueForDevice(authority);
    await test.client.patch(path(replaced.id!), { certificate: pem }, { token: user.token });
    await expectRefused(replaced.pem);
    await tokenWith(pem);
    // After being registered again, it is valid like any other certificate.
    const again = { certificate: deleted.pem, ...names };
    await test.client.post(`/applications/${application.id}/certificates`, again, { token: user.token });
    await tokenWith(deleted.pem);
  });
});

describe('A certificate that was never registered', () => {
  it('signs in the device in its common name, with access to itself and its own topics', async () => {
    await deviceOf();
    const { pem } = await issueForDevice(authority, { subject: madeOutTo(device) });
    const { body } = await signIn(pem);
    expect(body).toMatchObject({ filterType: 'none', pubTopics: [], subTopics: [] });
    expect(claimsOf(body.token)).toMatchObject({ certificate: { own: true, authority: authority.id } });
    expect(await namesSeenBy(body.token)).toHaveLength(1);
    await expectRefused(pem, await deviceOf());
  });

  it('without a device ID as its common name signs in no device', async () => {
    await expectRefused((await issueForDevice(authority)).pem);
    await expectRefused((await issueForDevice(authority, { subject: `O=${device.id}` })).pem);
  });
});

describe('Sign-in fails with', () => {
  const own = () => ({ subject: madeOutTo(device) });

  it.each<[string, () => Promise<Issued>]>([
    ['one that is self-made', () => issue({ ...own(), extensions: [usedFor(CLIENT_AUTH)] })],
    [
      'one of an impostor',
      async () => issueForDevice(await issueAuthority({ subject: authority.subject }), own()),
    ],
    [
      'one that names the authority and is signed by another key',
      async () => issueForDevice({ ...(await issueAuthority()), subject: authority.subject }, own()),
    ],
    ['one below another device', async () => issueForDevice(await issueForDevice(authority), own())],
    [
      'one below what is no authority, whatever it may sign',
      async () =>
        issueForDevice(
          await issue({ issuer: authority, extensions: [isAuthority(true, false), signs()] }),
          own(),
        ),
    ],
    [
      'one below an authority that is not registered itself',
      async () => issueForDevice(await issueAuthority({ issuer: authority }), own()),
    ],
    ['one that has ended', () => issueForDevice(authority, { ...own(), notAfter: inSeconds(-60) })],
    ['one that has not begun', () => issueForDevice(authority, { ...own(), notBefore: inSeconds(3600) })],
    ['one of an authority', () => issueAuthority({ ...own(), issuer: authority })],
    ['the authority itself', () => Promise.resolve(authority)],
    [
      'one for servers',
      () => issue({ ...own(), issuer: authority, extensions: [usedFor('1.3.6.1.5.5.7.3.1')] }),
    ],
    ['one for anything', () => issue({ ...own(), issuer: authority })],
    [
      'one that is made out to two',
      () => issueForDevice(authority, { subject: `CN=${newId()}, CN=${device.id}` }),
    ],
  ])('%s', async (_, make) => {
    await expectRefused((await make()).pem);
  });

  it.each<[string, object]>([
    ['that has ended', { notAfter: inSeconds(-60) }],
    ['that has not begun', { notBefore: inSeconds(3600), notAfter: inSeconds(7200) }],
  ])('a certificate of an authority %s', async (_, wanted) => {
    const ended = await makeAuthority(test, user.token, application.id, wanted);
    const body = { deviceIds: [device.id] };
    const given = { authority: ended, body, ...own() };
    await expectRefused((await makeCertificate(test, user.token, application.id, given)).pem);
    await expectRefused((await issueForDevice(ended, own())).pem);
  });

  it('a certificate registered in another application, or of an authority trusted there', async () => {
    const elsewhere = await makeApplication(test, user.token);
    const body = { deviceIds: [device.id] };
    const foreign = await makeAuthority(test, user.token, elsewhere.id);
    const given = { authority: foreign, body, ...own() };
    await expectRefused((await makeCertificate(test, user.token, elsewhere.id, given)).pem);
    await expectRefused((await issueForDevice(foreign, own())).pem);
    const there = await makeDevice(test, user.token, elsewhere.id);
    await expectRefused((await issueForDevice(authority, { subject: madeOutTo(there) })).pem, there);
  });

  it('a certificate of a device that a gateway reports for, is deleted, or does not exist', async () => {
    const floating = await deviceOf({ deviceClass: 'floating' });
    await expectRefused((await issueForDevice(authority, { subject: madeOutTo(floating) })).pem, floating);
    const { pem } = await issueForDevice(authority, own());
    await tokenWith(pem);
    await test.client.delete(at(device.id), { token: user.token });
    await expectRefused(pem);
    const nobody = { id: newId() };
    await expectRefused((await issueForDevice(authority, { subject: madeOutTo(nobody) })).pem, nobody);
  });

  it('an invalid certificate or several certificates', async () => {
    const { pem } = await issueForDevice(authority, own());
    const der = new X509Certificate(pem).raw;
    const bytes = (buffer: Buffer) => `:${buffer.toString('base64')}:`;
    const status = async (value: string) => {
      const headers = { ...clientAddress(), 'client-cert': value };
      return (await test.client.post('/auth/device', { deviceId: device.id }, { headers })).status;
    };
    expect(await status(bytes(der))).toBe(200);
    for (const value of [bytes(der.subarray(1)), bytes(Buffer.concat([der, der])), bytes(Buffer.alloc(9))])
      expect(await status(value)).toBe(401);
    for (const value of ['x', encodeURIComponent(pem + pem), encodeURIComponent(pem + authority.pem)])
      expect(await status(value)).toBe(401);
  });

  it('a certificate and a key together', async () => {
    const { pem } = await issueForDevice(authority, own());
    const key = await makeKey(test, user.token, application.id);
    for (const given of [{ key: key.key }, { secret: key.secret }, { ...key, id: undefined, secret: 'x' }]) {
      const { key: name, secret } = { key: undefined, secret: undefined, ...given } as Record<
        string,
        unknown
      >;
      expect((await signIn(pem, device, { key: name, secret })).status).toBe(401);
    }
    const { body } = await signIn(pem, device, { key: key.key, secret: key.secret });
    expect(claimsOf(body.token)).toMatchObject({ key: key.id });
    expect(claimsOf(body.token).certificate).toBeUndefined();
  });
});

describe('A token issued for a certificate', () => {
  it('expires with the certificate or that of the authority, regardless of the requested lifetime', async () => {
    const lifeOf = async (pem: string, more?: object) => {
      const { iat, exp } = claimsOf(await tokenWith(pem, more));
      return exp! - iat;
    };
    const soon = await issueForDevice(authority, { subject: madeOutTo(device), notAfter: inSeconds(3600) });
    for (const tokenTTL of [undefined, 0, DAY]) {
      const life = await lifeOf(soon.pem, { tokenTTL });
      expect(life).toBeGreaterThan(0);
      expect(life).toBeLessThanOrEqual(3600);
    }
    expect(await lifeOf(soon.pem, { tokenTTL: 60 })).toBeCloseTo(60, 3);
    const ending = await makeAuthority(test, user.token, application.id, { notAfter: inSeconds(1800) });
    const { pem } = await issueForDevice(ending, { subject: madeOutTo(device) });
    expect(await lifeOf(pem)).toBeLessThanOrEqual(1800);
  });

  describe('is rejected immediately in every process', () => {
    let certificate: { pem: string; id?: string };
    let tokens: { registered: string; own: string };
    beforeEach(async () => {
      const deviceTags = [{ key: 'site', value: 'north' }];
      device = await deviceOf({ tags: deviceTags });
      certificate = await register({ deviceTags });
      tokens = {
        registered: await tokenWith(certificate.pem),
        own: await tokenWith((await issueForDevice(authority, { subject: madeOutTo(device) })).pem),
      };
      expect(await standing()).toEqual([true, true]);
    });
    /** Returns whether the tokens of the registered and of the unregistered certificate work. */
    const standing = async () =>
      Promise.all(
        [tokens.registered, tokens.own].map(async (token) => {
          const answers = await Promise.all(
            [test, other].map(({ client }) => client.get(at(device.id), { token })),
          );
          const [status] = [...new Set(answers.map(({ status }) => status))];
          for (const answer of answers) expect(answer.status).toBe(status);
          if (status !== 200) expect(answers[0]!.body).toEqual(VOID);
          return status === 200;
        }),
      );
    const ofCertificate = () => `/applications/${application.id}/certificates/${certificate.id}`;
    const ofAuthority = () => `/applications/${application.id}/certificate-authorities/${authority.id}`;
    const change = async (path: string, body: object) =>
      expect((await test.client.patch(path, body, { token: user.token })).status).toBe(200);

    it('while its certificate is inactive', async () => {
      await change(ofCertificate(), { status: 'inactive' });
      expect(await standing()).toEqual([false, true]);
      await change(ofCertificate(), { status: 'active' });
      expect(await standing()).toEqual([true, true]);
    });

    it('when its certificate is deleted', async () => {
      await test.client.delete(ofCertificate(), { token: user.token });
      expect(await standing()).toEqual([false, true]);
    });

    it('when its certificate is replaced', async () => {
      await change(ofCertificate(), { certificate: (await issueForDevice(authority)).pem });
      expect(await standing()).toEqual([false, true]);
    });

    it('when its certificate is registered for other devices', async () => {
      const { pem } = await issueForDevice(authority, { subject: madeOutTo(device) });
      tokens.own = await tokenWith(pem);
      expect(await standing()).toEqual([true, true]);
      const path = `/applications/${application.id}/certificates`;
      const body = { certificate: pem, deviceIds: [newId()] };
      expect((await test.client.post(path, body, { token: user.token })).status).toBe(201);
      expect(await standing()).toEqual([true, false]);
    });

    it('while its authority is inactive', async () => {
      await change(ofAuthority(), { status: 'inactive' });
      expect(await standing()).toEqual([false, false]);
      await expectRefused(certificate.pem);
      await change(ofAuthority(), { status: 'active' });
      expect(await standing()).toEqual([true, true]);
    });

    it('when its authority is deleted', async () => {
      await test.client.delete(ofAuthority(), { token: user.token });
      expect(await standing()).toEqual([false, false]);
      await expectRefused(certificate.pem);
    });

    it('when its authority is replaced, but not when a certificate is added to the authority', async () => {
      const { pem } = await issueAuthority();
      await change(ofAuthority(), { caBundle: pem + authority.pem });
      expect(await standing()).toEqual([true, true]);
      await change(ofAuthority(), { caBundle: pem });
      expect(await standing()).toEqual([false, false]);
    });

    it('when the device loses the tag by which the certificate selects it', async () => {
      await change(at(device.id), { tags: [] });
      expect(await standing()).toEqual([false, true]);
    });

    it('when the device is deleted', async () => {
      await test.client.delete(at(device.id), { token: user.token });
      expect(await standing()).toEqual([false, false]);
    });
  });
});

describe('Signing in with a certificate', () => {
  it('runs three SQL statements, regardless of the authorities of other applications', async () => {
    const elsewhere = await makeApplication(test, user.token);
    await trust(test, user.token, elsewhere.id, authority.pem);
    const { pem } = await issueForDevice(authority, { subject: madeOutTo(device) });
    const presented = { 'client-cert': encodeURIComponent(pem) };
    const counted = statementCounter(test);
    const { sent, status } = await counted('POST', '/auth/device', '', { deviceId: device.id }, presented);
    expect([status, sent.length]).toEqual([200, 3]);
  });

  it('returns 429 after 100 failures with one certificate, without blocking devices with the right one', async () => {
    const { pem } = await issueForDevice(authority, { subject: madeOutTo(await deviceOf()) });
    const statuses = [];
    for (let i = 0; i < 11; i++)
      statuses.push(
        ...(await Promise.all(Array.from({ length: 10 }, async () => (await signIn(pem)).status))),
      );
    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    await tokenWith((await issueForDevice(authority, { subject: madeOutTo(device) })).pem);
    expect(
      (await signInDevice(test, device.id, await makeKey(test, user.token, application.id))).status,
    ).toBe(200);
  });
});
