import { generateKeyPairSync } from 'node:crypto';
import type { ArchiveConfig } from '../../applications/applications/application.resource.js';
import { accessField, destinationOf, kindOf, splitSecrets } from './archive-config.rules.js';

const pem = (type: 'rsa' | 'ed25519'): string => {
  const { privateKey } =
    type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
};
const RSA = pem('rsa');
const S3 = { bucket: 'pump-archive', region: 'eu-central-1', accessKeyId: 'AKIA' };
const SECRETS = { secrets: { 's3.secretAccessKey': 'secret' } };
const s3 = (given: object, directory?: string): ArchiveConfig => ({ s3: { ...S3, ...given }, directory });
const global = (key: string, value: unknown) => ({ key, json: JSON.stringify(value) });
const GLOBALS = [
  global('site', 'north'),
  global('store', { name: 'pump-archive', numbers: [7] }),
  global('on', true),
];
const azure = { account: 'northfield', bucket: 'pumps' };
const credential = (type: string, members: object, enabled = true) => ({
  credential: { type, enabled, members: { ...members } },
});

describe('Archive settings', () => {
  it('are supported only for organizations', () => {
    expect(() => kindOf({ s3: S3 }, 'user')).toThrow(
      'application.archiveConfig is supported only for applications of an organization',
    );
  });

  it.each([
    ['s3', { s3: { bucket: 'b' } }],
    ['gcs', { gcs: { bucket: 'b' } }],
    ['azure', { azure: { bucket: 'box' }, credentialName: 'x' }],
  ])('accept one place: %s', (kind, config) => {
    expect(kindOf(config, 'organization')).toBe(kind);
  });

  it.each([
    {},
    { mode: 'all' as const },
    { credentialName: 'x' },
    { s3: { bucket: 'b' }, gcs: { bucket: 'b' } },
  ])('reject zero or two places: %j', (config) => {
    expect(() => kindOf(config, 'organization')).toThrow('exactly one of s3, gcs and azure');
  });

  it('require either a credential or inline keys', () => {
    const both = { s3: { bucket: 'b', accessKeyId: 'AKIA' }, credentialName: 'x' };
    expect(() => kindOf(both, 'organization')).toThrow(
      'application.archiveConfig.s3.accessKeyId must be absent if credentialName is set',
    );
  });

  it('are split into public settings and secrets', () => {
    const config = { s3: { ...S3, secretAccessKey: 'secret' }, directory: 'd' };
    const before = structuredClone(config);
    expect(splitSecrets(config)).toEqual({
      shown: { s3: S3, directory: 'd' },
      secrets: { 's3.secretAccessKey': 'secret' },
    });
    expect(config).toEqual(before);
    expect(splitSecrets({ gcs: { bucket: 'b', keyJson: '{}' } }).secrets).toEqual({ 'gcs.keyJson': '{}' });
    expect(splitSecrets({ azure: { ...azure, accountKey: 'k' } }).secrets).toEqual({
      'azure.accountKey': 'k',
    });
  });
});

describe('destinationOf', () => {
  it('replaces templates with globals of the application', () => {
    const config = s3(
      { bucket: '{{globals.store.name}}' },
      '/a//{{ globals.site }}/{{globals.store.numbers.0}}/',
    );
    expect(destinationOf(config, 's3', GLOBALS, SECRETS)).toEqual({
      place: { kind: 's3', ...S3, secretAccessKey: 'secret' },
      directory: 'a/north/7/',
    });
  });

  it('uses the bucket root when no directory is set', () => {
    expect(destinationOf(s3({}), 's3', [], SECRETS).directory).toBe('');
  });

  it.each([
    [
      s3({ bucket: '{{globals.none}}' }),
      '.s3.bucket refers to the global none, which is not a string or number',
    ],
    [s3({ bucket: '{{globals.on}}' }), '.s3.bucket refers to the global on, which is not a string or number'],
    [s3({ bucket: '{{globals.store.__proto__}}' }), '.s3.bucket refers to the global store.__proto__'],
    [s3({ bucket: '{{data.site}}' }), '.s3.bucket supports only {{globals.NAME}} templates'],
    [s3({ bucket: 'evil.example.com/' }), '.s3.bucket is not valid'],
    [s3({ region: 'x.evil.example.com/' }), '.s3.region is not valid'],
    [s3({ region: 'eu@evil' }), '.s3.region is not valid'],
    [s3({ accessKeyId: undefined }), '.s3.accessKeyId is required unless credentialName is set'],
    [s3({}, 'a/../b'), '.directory must consist of names separated by /'],
    [s3({}, 'a\\b'), '.directory must consist of names separated by /'],
    [s3({}, 'a\nb'), '.directory must consist of names separated by /'],
  ])('rejects invalid settings: %j', (config, message) => {
    expect(() => destinationOf(config, 's3', GLOBALS, SECRETS)).toThrow(
      `application.archiveConfig${message}`,
    );
  });

  it('requires the secret', () => {
    expect(() => destinationOf(s3({}), 's3', [], { secrets: {} })).toThrow(
      'application.archiveConfig.s3.secretAccessKey is required unless credentialName is set',
    );
  });

  it('authenticates with the values of a credential', () => {
    const config = { s3: { bucket: 'pump-archive' }, credentialName: 'store' };
    const members = { accessKeyId: 'AKIB', secretAccessKey: 'other', region: 'eu-west-1' };
    expect(destinationOf(config, 's3', [], credential('aws', members)).place).toEqual({
      kind: 's3',
      bucket: 'pump-archive',
      ...members,
    });
    expect(
      destinationOf(
        { azure, credentialName: 'store' },
        'azure',
        [],
        credential('azure', { accountKey: 'a2V5' }),
      ).place,
    ).toEqual({ kind: 'azure', ...azure, accountKey: 'a2V5' });
  });

  it.each([
    [{ credential: undefined }, 'does not match a credential of the application'],
    [credential('aws', {}, false), 'refers to a disabled credential'],
    [credential('http', {}), 'must refer to a credential of type aws'],
  ])('rejects unusable credentials: %j', (signIn, message) => {
    const config = { s3: { bucket: 'pump-archive' }, credentialName: 'store' };
    expect(() => destinationOf(config, 's3', [], signIn)).toThrow(
      `application.archiveConfig.credentialName ${message}`,
    );
    expect(accessField(config, 's3')).toBe('application.archiveConfig.credentialName');
  });

  it('accepts only service account keys for Google and ignores the URLs in the key file', () => {
    const keyJson = JSON.stringify({
      type: 'external_account',
      client_email: 'a@b.example',
      private_key: RSA,
      token_uri: 'http://169.254.169.254/token',
      credential_source: { file: '/etc/passwd' },
    });
    const config = { gcs: { bucket: 'pump-archive' } };
    expect(destinationOf(config, 'gcs', [], { secrets: { 'gcs.keyJson': keyJson } }).place).toEqual({
      kind: 'gcs',
      bucket: 'pump-archive',
      clientEmail: 'a@b.example',
      privateKey: RSA,
    });
    for (const wrong of [
      '{}',
      'null',
      'key',
      JSON.stringify({ client_email: 'a', private_key: pem('ed25519') }),
    ])
      expect(() => destinationOf(config, 'gcs', [], { secrets: { 'gcs.keyJson': wrong } })).toThrow(
        'application.archiveConfig.gcs.keyJson must be a service account key in JSON format',
      );
  });
});
