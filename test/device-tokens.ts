import { TokenSigner } from '../src/platform/tokens/token-signer.js';
import type { TestApp } from './app.js';
import type { Answer } from './client.js';
import { unique } from './make.js';
import { from } from './sign-in.js';

/** An access key, as the answer that makes it has it. */
export interface TestKey {
  id: string;
  key: string;
  secret: string;
}

/** A device, made over HTTP. */
export async function makeDevice(
  test: TestApp,
  token: string,
  applicationId: string,
  body: object = {},
): Promise<any> {
  const path = `/applications/${applicationId}/devices`;
  return made(await test.client.post(path, { name: unique('device'), ...body }, { token }));
}

/** An access key, made over HTTP. */
export async function makeKey(
  test: TestApp,
  token: string,
  applicationId: string,
  body: object = {},
): Promise<TestKey> {
  return made(await test.client.post(`/applications/${applicationId}/keys`, body, { token }));
}

/** `POST /auth/device` from an address, by default one that no other test uses. */
export function signInDevice(
  test: TestApp,
  deviceId: string,
  { key, secret }: Partial<TestKey>,
  more: object = {},
  address?: string,
): Promise<Answer> {
  const credentials = { deviceId, key, secret, ...more };
  return test.client.post('/auth/device', credentials, { headers: from(address) });
}

/** A token of a device as a sign-in makes it, of whatever one would not. */
export function deviceToken(
  test: TestApp,
  deviceId: string,
  keyId: string | undefined,
  scope: readonly string[] = ['all.Device'],
  ttl = 3600,
): string {
  const claims = { sub: deviceId, ownerType: 'device' as const, key: keyId, scope };
  return test.app.get(TokenSigner).sign(claims, { ttl, issuedAt: new Date() });
}

function made({ status, body }: Answer): any {
  if (status !== 201) throw new Error(`Nothing was made: ${JSON.stringify(body)}`);
  return body;
}
