import { Inject, Injectable } from '@nestjs/common';
import { AddressFilter } from '../../platform/access/address-filter.js';
import { sha256 } from '../../platform/crypto/hashes.js';
import { Unauthorized } from '../../platform/errors/errors.js';
import { networkOf } from '../../platform/throttle/network.js';
import type { RateLimit } from '../../platform/throttle/rate-limit.js';
import { RateLimits } from '../../platform/throttle/rate-limits.js';
import { TokenSigner } from '../../platform/tokens/token-signer.js';
import { DEFAULT_TTL_SECONDS } from './auth.service.js';
import { DeviceSignInRepository, type DeviceWithKey } from './device-sign-in.repository.js';
import type { AuthedDevice, DeviceCredentials } from './device-sign-in.resource.js';

const WRONG = 'Device, key or secret is wrong';
const REFUSAL = 'Too many failed sign-ins, try again later';
const FAILURES = { points: 100, duration: 15 * 60 };

/**
 * Signs devices in with access keys. Unlike a password a secret cannot be guessed, so what is right is let in whatever
 * failed before: thousands of devices share a key or an address, and one that is set up wrongly keeps none of them out.
 */
@Injectable()
export class DeviceSignInService {
  private readonly networks: RateLimit;
  private readonly keys: RateLimit;

  constructor(
    private readonly devices: DeviceSignInRepository,
    @Inject(TokenSigner) private readonly signer: TokenSigner,
    limits: RateLimits,
  ) {
    this.networks = limits.limit('device-sign-in:address', FAILURES, REFUSAL);
    this.keys = limits.limit('device-sign-in:key', FAILURES, REFUSAL);
  }

  /** Throws `Unauthorized` in the same words whatever is wrong, and `TooManyRequests` where that was tried too often. */
  async signIn(credentials: DeviceCredentials, address: string): Promise<AuthedDevice> {
    const { requestedScopes: scope = ['all.Device'], tokenTTL } = credentials;
    const found = await this.identify(credentials, address);
    if (!found) return this.refuse(credentials, address);
    const { device, keyId } = found;
    const claims = { sub: device.deviceId, ownerType: 'device' as const, key: keyId, scope };
    const life = { issuedAt: new Date(), ttl: tokenTTL || DEFAULT_TTL_SECONDS };
    return { ...device, token: this.signer.sign(claims, life) };
  }

  private async identify(
    { deviceId, key, secret }: DeviceCredentials,
    address: string,
  ): Promise<DeviceWithKey | undefined> {
    if (key === undefined || secret === undefined) return undefined;
    const found = await this.devices.find(deviceId.toLowerCase(), key, sha256(secret));
    const isLetIn = !found?.addresses || new AddressFilter(found.addresses).lets(address);
    return isLetIn ? found : undefined;
  }

  private async refuse({ key = '' }: DeviceCredentials, address: string): Promise<never> {
    await this.networks.take(networkOf(address));
    await this.keys.take(sha256(key));
    throw new Unauthorized(WRONG);
  }
}
