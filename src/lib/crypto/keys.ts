import { createPrivateKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomToken } from './hashes.js';

const SECRETS_KEY_BYTES = 32;

/** A configured key; if absent, it is generated once and stored in `dataDir`. */
export interface KeySource {
  configured?: string;
  dataDir: string;
}

/**
 * Returns the text of a key file, created on first use with mode 600. If several processes start concurrently, one
 * creates the file and all read the same key.
 */
export function loadOrCreateKey(file: string, make: () => string): string {
  if (!existsSync(file)) createKeyFile(file, make());
  return readFileSync(file, 'utf8');
}

/** Returns whether the key that encrypts secrets exists, either configured or as a file. */
export function hasSecretsKey({ configured, dataDir }: KeySource): boolean {
  return configured !== undefined || existsSync(secretsFile(dataDir));
}

const secretsFile = (dataDir: string): string => join(dataDir, 'secrets.key');

/**
 * Returns the 32-byte key that encrypts secrets (`SECRETS_KEY`, base64). Throws an error that names the variable or the
 * file.
 */
export function loadSecretsKey({ configured, dataDir }: KeySource): Buffer {
  const file = secretsFile(dataDir);
  const text = (
    configured ?? loadOrCreateKey(file, () => randomBytes(SECRETS_KEY_BYTES).toString('base64'))
  ).trim();
  const key = Buffer.from(text, 'base64');
  if (key.length !== SECRETS_KEY_BYTES || key.toString('base64') !== text) {
    throw new Error(
      `${configured === undefined ? file : 'SECRETS_KEY'} must be ${SECRETS_KEY_BYTES} bytes in base64`,
    );
  }
  return key;
}

/**
 * Returns the private key that signs tokens (`TOKEN_PRIVATE_KEY`, PEM of an EC P-256 key; line breaks may be written as
 * `\n`, as in environment files). Throws an error that names the variable or the file.
 */
export function loadTokenKey({ configured, dataDir }: KeySource): KeyObject {
  const file = join(dataDir, 'token.key');
  const pem = configured?.replaceAll('\\n', '\n') ?? loadOrCreateKey(file, generateTokenKey);
  const source = configured === undefined ? file : 'TOKEN_PRIVATE_KEY';
  const key = parsePrivateKey(pem, source);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new Error(`${source} must be an EC private key on the curve P-256`);
  }
  return key;
}

function generateTokenKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function parsePrivateKey(pem: string, source: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error(`${source} must be an unencrypted private key in PEM`);
  }
}

function createKeyFile(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.${randomToken(9)}`;
  try {
    writeFileSync(partial, content, { flag: 'wx', mode: 0o600, flush: true });
    // A link appears atomically with its full content, and never replaces the file of another process.
    linkSync(partial, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(partial, { force: true });
  }
}
