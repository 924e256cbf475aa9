import { Inject, Injectable } from '@nestjs/common';
import { AddressFilter } from '../../../lib/http/address-filter.js';
import { sha256 } from '../../../lib/crypto/hashes.js';
import { Unauthorized } from '../../../lib/errors/errors.js';
import { networkOf } from '../../../platform/throttle/network.js';
import type { RateLimit } from '../../../platform/throttle/rate-limit.js';
import { RateLimits } from '../../../platform/throttle/rate-limits.js';
import { TokenSigner, type Claims } from '../../../platform/access/token-signer.js';
import { DEFAULT_TTL_SECONDS } from './auth.service.js';
import { DeviceCertificates } from './device-certificates.service.js';
import { DeviceSignInRepository, type SignedInDevice } from './device-sign-in.repository.js';
import type { AuthedDevice, DeviceCredentials } from './device-sign-in.resource.js';

const WRONG_KEY = 'Device, key or secret is wrong';
const WRONG_CERTIFICATE = 'Device or certificate is wrong';
const TOO_MANY_FAILURES = 'Too many failed sign-ins, try again later';
const FAILURES = { points: 100, duration: 15 * 60 };

/** Signed-in device: the claims of its token about the sign-in, and the latest expiration. */
interface SignInGrant {
  device: SignedInDevice;
  claims: Pick<Claims, 'key' | 'certificate'>;
  ends?: Date;
}

/**
 * Signs devices in with access keys and certificates. Unlike passwords, neither can be guessed, so correct ones are
 * accepted regardless of earlier failures. Thousands of devices share a key or an address: a misconfigured one must not
 * block the others.
 */
@Injectable()
export class DeviceSignInService {
  private readonly networks: RateLimit;
  private readonly credentials: RateLimit;

  constructor(
    private readonly devices: DeviceSignInRepository,
    private readonly certificates: DeviceCertificates,
    @Inject(TokenSigner) private readonly signer: TokenSigner,
    limits: RateLimits,
  ) {
    this.networks = limits.limit('device-sign-in:address', FAILURES, TOO_MANY_FAILURES);
    this.credentials = limits.limit('device-sign-in:key', FAILURES, TOO_MANY_FAILURES);
  }

  /**
   * Uses the client certificate if the credentials contain neither a key nor a secret. Throws `Unauthorized` with the
   * same message for every error, and `TooManyRequests` after too many failures.
   */
  async signIn(
    credentials: DeviceCredentials,
    address: string,
    certificate: Buffer | undefined,
  ): Promise<AuthedDevice> {
    const { key, secret, requestedScopes: scope = ['all.Device'], tokenTTL } = credentials;
    const proof = key === undefined && secret === undefined ? certificate : undefined;
    const deviceId = credentials.deviceId.toLowerCase();
    const found = proof
      ? await this.withCertificate(deviceId, proof, address)
      : await this.withKey(deviceId, credentials, address);
    if (!found) return this.refuse(proof, key, address);
    const issuedAt = new Date();
    const max = found.ends ? (found.ends.getTime() - issuedAt.getTime()) / 1000 : Infinity;
    const ttl = Math.min(tokenTTL || DEFAULT_TTL_SECONDS, max);
    // A lifetime of 0 would mean no expiration.
    if (ttl <= 0) return this.refuse(proof, key, address);
    const claims = { sub: deviceId, ownerType: 'device' as const, ...found.claims, scope };
    return { ...found.device, token: this.signer.sign(claims, { issuedAt, ttl }) };
  }

  private async withCertificate(
    deviceId: string,
    der: Buffer,
    address: string,
  ): Promise<SignInGrant | undefined> {
    const found = await this.certificates.identify(deviceId, der, networkOf(address));
    return found && { device: found.device, claims: { certificate: found.claim }, ends: found.ends };
  }

  private async withKey(
    deviceId: string,
    { key, secret }: DeviceCredentials,
    address: string,
  ): Promise<SignInGrant | undefined> {
    if (key === undefined || secret === undefined) return undefined;
    const found = await this.devices.find(deviceId, key, sha256(secret));
    const isLetIn = !found?.addresses || new AddressFilter(found.addresses).allows(address);
    return isLetIn ? found && { device: found.device, claims: { key: found.keyId } } : undefined;
  }

  private async refuse(certificate: Buffer | undefined, key = '', address: string): Promise<never> {
    await this.networks.consume(networkOf(address));
    await this.credentials.consume(sha256(certificate?.toString('base64') ?? key));
    throw new Unauthorized(certificate ? WRONG_CERTIFICATE : WRONG_KEY);
  }
}
