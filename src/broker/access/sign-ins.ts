import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { IConnectPacket } from 'mqtt-packet';
import { sha256 } from '../../lib/crypto/hashes.js';
import { AccessCache } from '../../platform/access/access-cache.js';
import { MAX_CACHE_MS } from '../../platform/access/revocations.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { networkOf } from '../../platform/throttle/network.js';
import type { RateLimit } from '../../platform/throttle/rate-limit.js';
import { RateLimits } from '../../platform/throttle/rate-limits.js';
import { DeviceCertificates } from '../../modules/accounts/auth/device-certificates.service.js';
import { CONNACK, type ConnackCode } from '../wire/packets.js';
import { DeviceGrantsRepository, type PresentedKey, type RefusedKey } from './device-grants.repository.js';
import type { DeviceGrant } from './device-grant.js';

/** A client that may not connect. `applicationId` is that of the device, if the client names one. */
export interface Refusal {
  readonly code: ConnackCode;
  readonly applicationId?: string;
}

const CODES: Readonly<Record<RefusedKey, ConnackCode>> = {
  device: CONNACK.identifierRejected,
  key: CONNACK.badCredentials,
  restriction: CONNACK.notAuthorized,
};
const ID = /^[\da-f]{24}$/i;
/** As in the API. */
const MAX_KEY_LENGTH = 255;
const MAX_SECRET_LENGTH = 2_048;
const MAX_CACHED = 50_000;
/** Number of cached sign-ins that are searched for revoked ones. More are forgotten together. */
const MAX_SEARCHED = 2_000;
/** Failed sign-ins of a network after which their reason is no longer looked up. */
const FAILURES = { points: 100, duration: 15 * 60 };

/**
 * Signs devices in with access keys, or with the certificates of their TLS connections. A sign-in is cached for a few
 * seconds, so that a device that reconnects costs no statement, and forgotten when its rights may have changed.
 */
@Injectable()
@RunsIn('broker')
export class SignIns {
  private readonly logger = new Logger(SignIns.name);
  private readonly granted = new LRUCache<string, DeviceGrant>({ max: MAX_CACHED, ttl: MAX_CACHE_MS });
  private readonly refused = new LRUCache<string, Refusal>({ max: MAX_CACHED, ttl: MAX_CACHE_MS });
  private readonly failures: RateLimit;
  /** Number of revocations so far. A grant that was read before one is not cached after it. */
  private generation = 0;

  constructor(
    private readonly grants: DeviceGrantsRepository,
    private readonly certificates: DeviceCertificates,
    private readonly cache: AccessCache,
    limits: RateLimits,
  ) {
    this.failures = limits.limit('mqtt:failures', FAILURES);
    cache.onEvict((ids) => this.forget(ids));
  }

  /** Signs a device in, or returns why it may not connect. A key takes precedence over a certificate. */
  async signIn(
    { clientId, username = '', password }: Pick<IConnectPacket, 'clientId' | 'username' | 'password'>,
    address: string,
    certificate: Buffer | undefined,
  ): Promise<DeviceGrant | Refusal> {
    if (!ID.test(clientId)) return { code: CONNACK.identifierRejected };
    const deviceId = clientId.toLowerCase();
    const isKeyGiven = username !== '' || password !== undefined;
    try {
      return certificate && !isKeyGiven
        ? await this.withCertificate(deviceId, certificate, address)
        : await this.withKey(presentedKey(deviceId, username, password?.toString() ?? ''), address);
    } catch (error) {
      this.logger.warn(`Could not sign a device in: ${(error as Error).message}`);
      // Clients give up after any other code.
      return { code: CONNACK.unavailable };
    }
  }

  private async withKey(presented: PresentedKey, address: string): Promise<DeviceGrant | Refusal> {
    const grant = await this.find(presented);
    if (!grant) return this.refuse(presented, address);
    if (grant.allowsAddress(address)) return grant;
    return { code: CONNACK.notAuthorized, applicationId: grant.applicationId };
  }

  private async find(presented: PresentedKey): Promise<DeviceGrant | undefined> {
    const name = nameOf(presented);
    const known = this.cache.receivesEvictions ? this.granted.get(name) : undefined;
    if (known) return known;
    if (this.refused.has(name)) return undefined;
    const { generation } = this;
    const grant = await this.grants.withKey(presented);
    if (grant && generation === this.generation) this.granted.set(name, grant);
    return grant;
  }

  private async refuse(presented: PresentedKey, address: string): Promise<Refusal> {
    const known = this.refused.get(nameOf(presented));
    if (known) return known;
    const { count } = await this.failures.add(networkOf(address), 1);
    if (count > FAILURES.points) return { code: CONNACK.badCredentials };
    const { reason, applicationId } = await this.grants.refusalOf(presented);
    const refusal = { code: CODES[reason], applicationId };
    this.refused.set(nameOf(presented), refusal);
    return refusal;
  }

  private async withCertificate(
    deviceId: string,
    certificate: Buffer,
    address: string,
  ): Promise<DeviceGrant | Refusal> {
    const found = await this.certificates.identify(deviceId, certificate, networkOf(address));
    const grant = found && (await this.grants.withCertificate(deviceId, found.claim, found.ends.getTime()));
    if (grant) return grant;
    const { reason, applicationId } = await this.grants.refusalOf({ deviceId, key: '', secretHash: '' });
    return { code: reason === 'device' ? CODES.device : CONNACK.notAuthorized, applicationId };
  }

  private forget(ids: ReadonlySet<string> | 'all'): void {
    this.generation++;
    this.refused.clear();
    if (ids === 'all' || this.granted.size > MAX_SEARCHED) return this.granted.clear();
    for (const [name, grant] of this.granted.entries()) if (grant.dependsOn(ids)) this.granted.delete(name);
  }
}

/** Values that no key has are replaced, because PostgreSQL might not accept them. */
function presentedKey(deviceId: string, key: string, secret: string): PresentedKey {
  const isPossible =
    key.length <= MAX_KEY_LENGTH && secret.length <= MAX_SECRET_LENGTH && !key.includes('\0');
  return { deviceId, key: isPossible ? key : '', secretHash: sha256(isPossible ? secret : '') };
}

/** Hashed, because thousands of names are cached. */
const nameOf = ({ deviceId, key, secretHash }: PresentedKey): string =>
  sha256(`${deviceId} ${key} ${secretHash}`);
