import { createPublicKey } from 'node:crypto';
import { credentialOf, pem } from '../../../../test/make/credentials.js';
import { makeApplication, makeUser } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';

const { test, user, application } = suite({}, { retries: false });
let path: string;

beforeEach(() => {
  path = `/applications/${application.id}/credentials`;
});

const create = (type: string, config: object) =>
  test.client.post(path, { name: 'a', type, [`${type}Config`]: config }, { token: user.token });
const SNOWFLAKE = { host: 'field.example.com', username: 'reports' };
const GIT = { type: 'ssh-key', cloneUrl: 'git@git.example.com:f.git' };

describe('A generated key pair', () => {
  it('returns the public key in PEM for Snowflake', async () => {
    const { body } = await create('snowflake', { ...SNOWFLAKE, generatePrivateKey: true });
    expect(body.snowflakeConfig).toEqual({ ...SNOWFLAKE, publicKey: expect.any(String) });
    const key = createPublicKey(body.snowflakeConfig.publicKey);
    expect(key.asymmetricKeyDetails).toMatchObject({ modulusLength: 3072 });
  });

  it('returns the public key in OpenSSH format for Git', async () => {
    const { body } = await create('git', { ...GIT, generatePrivateKey: true });
    expect(body.gitConfig).toEqual({ ...GIT, publicKey: expect.stringMatching(/^ssh-rsa AAAAB3NzaC1yc2E/) });
  });
});

describe('Many generated key pairs', () => {
  it('of one owner are refused beyond a few, while another owner gets one', async () => {
    const config = { ...SNOWFLAKE, generatePrivateKey: true };
    const other = await makeUser(test);
    const { id } = await makeApplication(test, other.token);
    const many = Array.from({ length: 30 }, (_, i) =>
      test.client.post(
        path,
        { name: `key ${i}`, type: 'snowflake', snowflakeConfig: config },
        { token: user.token },
      ),
    );
    const body = { name: 'a', type: 'snowflake', snowflakeConfig: config };
    const one = await test.client.post(`/applications/${id}/credentials`, body, { token: other.token });
    expect(one.status).toBe(201);
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([201, 429]));
  });
});

describe('A supplied private key', () => {
  const publicKey = createPublicKey(pem('idp-key')).export({ type: 'spki', format: 'pem' });

  it('returns the public key', async () => {
    const { body } = await create('snowflake', { ...SNOWFLAKE, privateKey: pem('idp-key') });
    expect(body.snowflakeConfig).toEqual({ ...SNOWFLAKE, publicKey });
  });

  it('is accepted unverified in formats that only OpenSSH reads', async () => {
    const { status, body } = await create('git', { ...GIT, secretValue: 'BEGIN OPENSSH PRIVATE KEY' });
    expect([status, body.gitConfig]).toEqual([201, GIT]);
  });
});

it('returns the details of a certificate', async () => {
  const { body } = await test.client.post(path, credentialOf('certificateKeyPair'), { token: user.token });
  expect(body.certificateKeyPairConfig.info).toEqual({
    commonName: expect.any(String),
    issuerName: expect.any(String),
    serialNumber: expect.stringMatching(/^[\dA-F]+$/),
    fingerprint: expect.stringMatching(/^([\dA-F]{2}:){31}[\dA-F]{2}$/),
    notValidBefore: expect.stringMatching(/Z$/),
    notValidAfter: expect.stringMatching(/Z$/),
  });
});

it('returns a Google key file without its private key', async () => {
  const { body } = await test.client.post(path, credentialOf('gcp'), { token: user.token });
  expect(body.gcpConfig).toEqual({ keyMetaJson: '{"type":"service_account"}' });
});

it.each([
  ['gcp', { keyJson: 'x' }, 'gcpConfig.keyJson must be a JSON object'],
  ['gcp', { keyJson: '[]' }, 'gcpConfig.keyJson must be a JSON object'],
  [
    'gcp',
    { keyJson: `[${'1e20,'.repeat(1000)}1]`.replace(/(.*)/, '{"a":$1}') },
    'gcpConfig.keyJson must have at most 8192 characters',
  ],
  [
    'snowflake',
    { ...SNOWFLAKE, privateKey: 'x' },
    'snowflakeConfig.privateKey must be an RSA private key in PEM without a password',
  ],
  ['snowflake', SNOWFLAKE, 'snowflakeConfig.privateKey is required unless generatePrivateKey is set'],
  [
    'snowflake',
    { ...SNOWFLAKE, privateKey: 'x', generatePrivateKey: true },
    'snowflakeConfig must have only one of privateKey and generatePrivateKey',
  ],
  [
    'git',
    { ...GIT, type: 'http-password', generatePrivateKey: true },
    'gitConfig.generatePrivateKey requires the type ssh-key',
  ],
  [
    'certificateKeyPair',
    { certificate: 'x', privateKey: pem('idp-key') },
    'certificateKeyPairConfig.certificate must be a certificate in PEM',
  ],
  [
    'certificateKeyPair',
    { certificate: pem('idp-cert'), privateKey: 'x' },
    'certificateKeyPairConfig.privateKey must be a private key in PEM without a password',
  ],
  [
    'certificateKeyPair',
    { certificate: pem('idp-cert'), privateKey: pem('other-idp-key') },
    'certificateKeyPairConfig.privateKey must belong to the certificate',
  ],
])('rejects a %s credential with %j', async (type, config, message) => {
  const { status, body } = await create(type, config);
  expect([status, body.message]).toEqual([400, `credential.${message}`]);
});
