import { transformFileSync } from '@swc/core';
import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadOrCreateKey, loadSecretsKey, loadTokenKey } from './keys.js';

const pemOf = (curve: string) =>
  generateKeyPairSync('ec', { namedCurve: curve })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();

describe('keys', () => {
  let dataDir: string;
  beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'keys-'))));
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('creates a key file once, readable by its owner only', () => {
    const file = join(dataDir, 'new', 'a.key');
    expect(loadOrCreateKey(file, () => 'first')).toBe('first');
    expect(loadOrCreateKey(file, () => 'second')).toBe('first');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(dataDir, 'new'))).toEqual(['a.key']);
  });

  it('leaves no file behind if the key cannot be created', () => {
    const fail = () => {
      throw new Error('no entropy');
    };
    expect(() => loadOrCreateKey(join(dataDir, 'a.key'), fail)).toThrow('no entropy');
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('yields the same key for processes that start concurrently', async () => {
    const code = join(dataDir, 'code');
    for (const name of ['keys', 'hashes']) {
      const source = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
      const compiled = transformFileSync(source, {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      });
      loadOrCreateKey(join(code, `${name}.js`), () => compiled.code);
    }
    writeFileSync(join(code, 'package.json'), '{"type":"module"}');
    const script = `
      import { loadSecretsKey } from ${JSON.stringify(join(code, 'keys.js'))};
      while (Date.now() < Number(process.argv[2]));
      process.stdout.write(loadSecretsKey({ dataDir: process.argv[1] }).toString('hex'));`;
    const start = String(Date.now() + 1_000);
    const run = () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, dataDir, start]);
    const keys = await Promise.all(Array.from({ length: 4 }, async () => (await run()).stdout));
    expect(new Set(keys)).toEqual(new Set([loadSecretsKey({ dataDir }).toString('hex')]));
  });

  describe('for secrets', () => {
    it('uses the configured key', () => {
      const key = randomBytes(32);
      expect(loadSecretsKey({ configured: key.toString('base64'), dataDir })).toEqual(key);
      expect(readdirSync(dataDir)).toEqual([]);
    });

    it('stores a generated key', () => {
      const key = loadSecretsKey({ dataDir });
      expect(key).toHaveLength(32);
      expect(loadSecretsKey({ dataDir })).toEqual(key);
    });

    it.each(['', 'short', randomBytes(31).toString('base64'), `${'A'.repeat(42)}*=`])(
      'rejects %j with the name of the variable',
      (configured) => {
        expect(() => loadSecretsKey({ configured, dataDir })).toThrow(
          'SECRETS_KEY must be 32 bytes in base64',
        );
      },
    );

    it('names the file if the stored key is damaged', () => {
      const file = join(dataDir, 'secrets.key');
      writeFileSync(file, 'damaged');
      expect(() => loadSecretsKey({ dataDir })).toThrow(`${file} must be 32 bytes in base64`);
    });
  });

  describe('for tokens', () => {
    it('stores a generated key as PKCS#8 PEM', () => {
      const key = loadTokenKey({ dataDir });
      expect(key.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
      expect(loadTokenKey({ dataDir }).equals(key)).toBe(true);
      expect(readFileSync(join(dataDir, 'token.key'), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    });

    it('uses the configured key, also with escaped line breaks', () => {
      const pem = pemOf('P-256');
      const key = loadTokenKey({ configured: pem, dataDir });
      expect(key.export({ type: 'pkcs8', format: 'pem' })).toBe(pem);
      expect(loadTokenKey({ configured: pem.replaceAll('\n', '\\n'), dataDir }).equals(key)).toBe(true);
      expect(readdirSync(dataDir)).toEqual([]);
    });

    it('rejects other types of keys with the name of the variable', () => {
      const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
      const wrong = [
        pemOf('P-384'),
        pemOf('secp256k1'),
        rsa.export({ type: 'pkcs8', format: 'pem' }).toString(),
      ];
      for (const configured of wrong) {
        expect(() => loadTokenKey({ configured, dataDir })).toThrow(
          'TOKEN_PRIVATE_KEY must be an EC private key on the curve P-256',
        );
      }
    });

    it('rejects a value that is not a private key, without repeating it', () => {
      const publicPem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
        type: 'spki',
        format: 'pem',
      });
      for (const configured of ['', 'a secret that is no key', publicPem.toString()]) {
        expect(() => loadTokenKey({ configured, dataDir })).toThrow(
          /^TOKEN_PRIVATE_KEY must be an unencrypted private key in PEM$/,
        );
      }
    });
  });
});
