import {
  createPrivateKey,
  generateKeyPairSync,
  webcrypto,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import { pem } from '../../../test/make/credentials.js';
import { issueAuthority, named, newKeys, type Issued } from '../../../test/make/certificates.js';
import { runNode } from '../../../test/doubles/run-node.js';
import { SubjectAlternativeNameExtension, X509Certificate as Parsed } from '../../lib/crypto/x509.js';
// Imported after the module that it depends on to load.
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import type { CredentialsPort } from '../engine/ports.js';
import { NODE_KINDS } from './index.js';

const DAY = 86_400_000;
const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const publicPem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();

let authority: Issued;
let members: { certificate: string; privateKey: string };
let request: string;

beforeAll(async () => {
  authority = await issueAuthority({ subject: 'CN=Field CA, O=Field' });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', authority.keys.privateKey));
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  members = {
    certificate: authority.pem,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  const made = await Pkcs10CertificateRequestGenerator.create(
    {
      name: 'CN=Pump, O=Field, C=DE',
      keys: await newKeys(),
      signingAlgorithm: P256,
      extensions: [named(['pump.example.com'])],
    },
    webcrypto,
  );
  request = made.toString('pem');
});

const credentials: CredentialsPort = {
  opened: async (_application, name) =>
    name === 'ca' ? { type: 'certificateKeyPair', enabled: true, members } : undefined,
};
const resultOf = async (type: string, config: object, payload: object = {}): Promise<any> =>
  (
    (
      await runNode(NODE_KINDS.get(type)!, { resultPath: 'r', ...config }, payload, {
        ports: { credentials },
      })
    ).payload as any
  ).r;
const create = (config: object = {}, payload: object = {}) =>
  resultOf(
    'CertificateCreateNode',
    { credentialNameTemplate: 'ca', csrTemplate: request, ...config },
    payload,
  );
const read = (crtTemplate: string, config: object = {}, payload: object = {}) =>
  resultOf('CertificateReadNode', { crtTemplate, ...config }, payload);
const namesIn = (certificate: string) =>
  new Parsed(certificate).extensions.flatMap((each) =>
    each instanceof SubjectAlternativeNameExtension ? each.names.items.map(({ value }) => value) : [],
  );

describe('CertificateCreateNode', () => {
  it('issues a certificate for a request', async () => {
    const { certificate, publicKey, info } = await create({}, {});
    const issued = new X509Certificate(certificate);
    expect(issued.verify(new X509Certificate(authority.pem).publicKey)).toBe(true);
    expect(issued.checkIssued(new X509Certificate(authority.pem))).toBe(true);
    expect(issued.ca).toBe(false);
    expect(publicKey).toBe(publicPem(issued.publicKey));
    expect(info).toEqual({
      serial: expect.stringMatching(/^[\da-f]{2,}$/),
      commonName: 'Pump',
      organization: 'Field',
      country: 'DE',
      issuerName: 'CN=Field CA, O=Field',
      notValidBefore: expect.any(String),
      notValidAfter: expect.any(String),
      fingerprint: issued.fingerprint,
    });
    expect(Date.parse(info.notValidAfter) - Date.parse(info.notValidBefore)).toBe(365 * DAY);
    expect(namesIn(certificate)).toEqual(['pump.example.com']);
    expect(await read(certificate)).toEqual({ publicKey, info });
  });

  it('overrides the request', async () => {
    const config = {
      csrTemplateType: 'payloadPath',
      csrTemplate: 'csr',
      commonNameTemplate: 'Fan {{n}}',
      emailTemplate: 'fan@example.com',
      stateTemplate: 'Bern',
      algorithmTemplate: 'sha384',
      expiresInDaysTemplate: '30',
      serialNumberTemplate: '1a2b3',
      notBeforeTemplate: '2024-01-15T00:00:00Z',
      subjectAltNames: [
        { type: 'dns', valueTemplate: 'fan{{n}}.example.com' },
        { type: 'ip', valueTemplate: '192.0.2.1' },
        { type: 'uri', valueTemplate: 'urn:fan' },
        { type: 'email', valueTemplate: '' },
      ],
      keyUsages: ['digitalSignature', 'keyAgreement'],
      extendedKeyUsages: ['clientAuth', 'ocspSigning'],
    };
    const { certificate, info } = await create(config, { csr: request, n: 7 });
    expect(info).toMatchObject({
      serial: '01a2b3',
      commonName: 'Fan 7',
      organization: 'Field',
      state: 'Bern',
      emailAddress: 'fan@example.com',
      notValidBefore: '2024-01-15T00:00:00.000Z',
      notValidAfter: '2024-02-14T00:00:00.000Z',
    });
    expect(namesIn(certificate)).toEqual(['fan7.example.com', '192.0.2.1', 'urn:fan']);
    const issued = new X509Certificate(certificate);
    expect(issued.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.9']);
    expect(issued.verify(new X509Certificate(authority.pem).publicKey)).toBe(true);
  });

  it('issues a certificate for a key, with a name', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    for (const csrTemplate of [publicPem(publicKey), privatePem]) {
      const made = await create({ csrTemplate, commonNameTemplate: 'Fan' });
      expect(made).toMatchObject({ publicKey: publicPem(publicKey), info: { commonName: 'Fan' } });
      expect(JSON.stringify(made)).not.toContain('PRIVATE');
    }
    expect(await create({ csrTemplate: publicPem(publicKey) })).toEqual({
      error: { message: 'The certificate must have a common name or a subject alternative name' },
    });
  });

  it('signs with an RSA key', async () => {
    const ports = { certificate: pem('idp-cert'), privateKey: pem('idp-key') };
    const kept = members;
    members = ports;
    const { certificate } = await create({ algorithmTemplate: 'SHA512' }).finally(() => {
      members = kept;
    });
    expect(new X509Certificate(certificate).verify(new X509Certificate(pem('idp-cert')).publicKey)).toBe(
      true,
    );
  });

  it('writes errors of the request', async () => {
    const [begin, body, ...end] = request.trim().split('\n');
    const broken = [begin, body!.replace(/.{8}$/, 'AAAAAAAA'), ...end].join('\n');
    const weak = publicPem(generateKeyPairSync('ed448').publicKey);
    for (const [csrTemplate, message] of [
      ['x', 'csrTemplate must be a certificate request or a key in PEM'],
      ['-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----', 'not a readable'],
      [broken, ''],
      [weak, 'The key must be an EC or Ed25519 key'],
    ] as const)
      expect(await create({ csrTemplate })).toEqual({
        error: { message: expect.stringContaining(message) },
      });
    const names = { subjectAltNames: [{ type: 'ip', valueTemplate: 'x' }] };
    expect(await create(names)).toEqual({
      error: { message: expect.stringContaining('could not be issued') },
    });
  });

  it.each([
    [{ csrTemplate: '{{none}}' }, 'csrTemplate is required'],
    [{ csrTemplateType: 'diskPath' }, 'diskPath is available on devices only'],
    [{ csrTemplate: 'p', csrTemplateType: 'payloadPath' }, 'csrTemplate must have at most 262144'],
    [{ credentialNameTemplate: '' }, 'credentialNameTemplate is required'],
    [{ credentialNameTemplate: 'none' }, 'credentialNameTemplate must be the name'],
    [{ algorithmTemplate: 'MD5' }, 'algorithmTemplate must be one of'],
    [{ expiresInDaysTemplate: '3651' }, 'expiresInDaysTemplate must be an integer from 1 to 3650'],
    [{ serialNumberTemplate: '0x1' }, 'serialNumberTemplate must have 1 to 40'],
    [{ serialNumberTemplate: '00' }, 'serialNumberTemplate must have 1 to 40'],
    [{ notBeforeTemplate: 'soon' }, 'notBeforeTemplate must be a time'],
    [{ commonNameTemplate: 'x'.repeat(1025) }, 'A name must have at most 1024 characters'],
    [{ resultPath: '' }, 'resultPath is required'],
  ])('fails the run for %j', async (config, message) => {
    await expect(create(config, { p: 'x'.repeat(262_145) })).rejects.toThrow(message);
  });

  it.each([
    { keyUsages: ['some'] },
    { extendedKeyUsages: ['anyExtendedKeyUsage'] },
    { subjectAltNames: [{ type: 'x' }] },
    { csrTemplateType: 'x' },
  ])('is refused when saved with %j', (config) => {
    expect(() => NODE_KINDS.get('CertificateCreateNode')!.run!.settings!(config, '')).toThrow(
      'must be one of',
    );
  });
});

describe('CertificateReadNode', () => {
  it('reads one certificate, or several with those that are invalid', async () => {
    const one = await read(authority.pem);
    expect(one).toMatchObject({ info: { commonName: 'Field CA', organization: 'Field' } });
    const invalid = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    expect(await read(`${authority.pem}${invalid}${authority.pem}`)).toEqual([
      one,
      { error: { message: 'Invalid certificate in bundle.' } },
      one,
    ]);
    expect(await read('c', { crtTemplateType: 'payloadPath' }, { c: authority.pem })).toEqual(one);
    expect(await read(invalid)).toEqual({
      error: { message: 'crtTemplate is not a readable certificate' },
    });
    expect(await read('x')).toEqual({
      error: { message: expect.stringContaining('crtTemplate must contain') },
    });
  });

  it('fails the run without a certificate', async () => {
    await expect(read('')).rejects.toThrow('crtTemplate is required');
    await expect(read('c', { crtTemplateType: 'payloadPath' })).rejects.toThrow('crtTemplate is required');
  });
});
