import jwt from 'jsonwebtoken';
import { generateKeyPairSync, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { twoFactorContext } from '../../src/modules/accounts/auth/credentials.service.js';
import { User } from '../../src/modules/accounts/users/user.entity.js';
import { SecretBox } from '../../src/lib/crypto/secrets.js';
import { newTotpKey } from '../../src/lib/crypto/totp.js';
import type { Claims } from '../../src/platform/access/token-signer.js';
import { SECRETS_KEY } from '../setup/platform-process.js';
import type { TestApp } from '../setup/app.js';
import type { Answer } from '../contract/client.js';
import { makeUser, uniqueName, type TestUser } from './make.js';

/** Makes an app trust `clientAddress`, so that failed sign-ins of one test do not count against the address of another. */
export const BEHIND_PROXY = { TRUST_PROXY: '1' };

/** Returns keys shared by several apps, as by processes of one platform. */
export function sharedKeys(): { TOKEN_PRIVATE_KEY: string; SECRETS_KEY: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    TOKEN_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    SECRETS_KEY,
  };
}

/** Returns the headers of a request from an address; by default one that no other test uses. */
export function clientAddress(address = freshAddress()): { 'x-forwarded-for': string } {
  return { 'x-forwarded-for': address };
}

export function freshAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

/** Sends `POST /auth/user` from an address. */
export function signIn(test: TestApp, body: object, address?: string): Promise<Answer> {
  return test.client.post('/auth/user', body, { headers: clientAddress(address) });
}

/** Returns the claims of a token without verification. */
export function claimsOf(token: string): Claims & { iss: string } {
  return jwt.decode(token) as unknown as Claims & { iss: string };
}

/** Returns the current code of a key, or the code of a later step. Each code is valid once, in order. */
export function codeOf(key: string, steps = 0): string {
  const timestamp = Date.now() + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp });
}

/** Returns a code that is invalid now and in adjacent steps. */
export function wrongCode(key: string): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(key, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code))!;
}

/** Creates a user with an enabled second factor. */
export async function makeTwoFactorUser(test: TestApp): Promise<TestUser & { key: string }> {
  const user = await makeUser(test);
  const key = newTotpKey();
  const sealed = test.app.get(SecretBox).seal(key, twoFactorContext(user.id));
  await test.dataSource.manager.update(User, { id: user.id }, { twoFactorKey: sealed });
  return { ...user, key };
}

/** Creates an API token and returns it from the response. */
export async function makeApiToken(test: TestApp, token: string, body: object = {}): Promise<any> {
  const answer = await test.client.post('/me/tokens', { name: uniqueName('token'), ...body }, { token });
  if (answer.status !== 201) throw new Error(`Could not create an API token: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
