import { X509Certificate } from 'node:crypto';
import { TokenSigner, type CertificateClaim } from '../../src/platform/access/token-signer.js';
import type { TestApp } from '../setup/app.js';
import type { Platform } from '../setup/platform.js';
import type { Answer } from '../contract/client.js';
import { issueAuthority, issueForDevice, trust, type Issued } from './certificates.js';
import { uniqueName } from './make.js';
import { clientAddress } from './sign-in.js';

/** An access key, as returned when it is created. */
export interface TestKey {
  id: string;
  key: string;
  secret: string;
}

/** Creates a device over HTTP. */
export async function makeDevice(
  test: Platform,
  token: string,
  applicationId: string,
  body: object = {},
): Promise<any> {
  const path = `/applications/${applicationId}/devices`;
  return made(await test.client.post(path, { name: uniqueName('device'), ...body }, { token }));
}

/** Creates an access key over HTTP. */
export async function makeKey(
  test: Platform,
  token: string,
  applicationId: string,
  body: object = {},
): Promise<TestKey> {
  return made(await test.client.post(`/applications/${applicationId}/keys`, body, { token }));
}

/** Sends `POST /auth/device` from an address; by default one that no other test uses. */
export function signInDevice(
  test: Platform,
  deviceId: string,
  { key, secret }: Partial<TestKey>,
  more: object = {},
  address?: string,
): Promise<Answer> {
  const credentials = { deviceId, key, secret, ...more };
  return test.client.post('/auth/device', credentials, { headers: clientAddress(address) });
}

/** A device certificate signed by an authority of an application, with its claim in tokens. */
export interface TestCertificate {
  pem: string;
  claim: CertificateClaim;
  /** ID of its row, if registered. */
  id?: string;
}

/** Creates a certificate, from a new authority by default; registers it if `body` is set. */
export async function makeCertificate(
  test: Platform,
  token: string,
  applicationId: string,
  { body, authority, subject }: { body?: object; authority?: Issued & { id: string }; subject?: string } = {},
): Promise<TestCertificate> {
  const signer = authority ?? (await makeAuthority(test, token, applicationId));
  const { pem } = await issueForDevice(signer, { subject });
  const claim = {
    digest: new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase(),
    own: false,
    authority: signer.id,
    issuer: new X509Certificate(signer.pem).fingerprint,
  };
  if (!body) return { pem, claim };
  const path = `/applications/${applicationId}/certificates`;
  const { id } = made(await test.client.post(path, { certificate: pem, ...body }, { token })) as TestKey;
  return { pem, claim, id };
}

/** Creates an authority that the application trusts. */
export async function makeAuthority(
  test: Platform,
  token: string,
  applicationId: string,
  wanted: Parameters<typeof issueAuthority>[0] = {},
): Promise<Issued & { id: string }> {
  const issued = await issueAuthority(wanted);
  return { ...issued, id: await trust(test, token, applicationId, issued.pem) };
}

/** Sends `POST /auth/device` with a certificate in the header a proxy sets, from an address that no other test uses. */
export function signInWithCertificate(
  test: Platform,
  deviceId: string,
  pem: string,
  more: object = {},
): Promise<Answer> {
  const headers = { ...clientAddress(), 'client-cert': encodeURIComponent(pem) };
  return test.client.post('/auth/device', { deviceId, ...more }, { headers });
}

/** Signs a device token like a sign-in, but with any claims. */
export function deviceToken(
  test: TestApp,
  deviceId: string,
  credential: string | CertificateClaim | undefined,
  scope: readonly string[] = ['all.Device'],
  ttl = 3600,
): string {
  const proof = typeof credential === 'object' ? { certificate: credential } : { key: credential };
  const claims = { sub: deviceId, ownerType: 'device' as const, ...proof, scope };
  return test.app.get(TokenSigner).sign(claims, { ttl, issuedAt: new Date() });
}

function made({ status, body }: Answer): any {
  if (status !== 201) throw new Error(`Could not create the resource: ${JSON.stringify(body)}`);
  return body;
}
