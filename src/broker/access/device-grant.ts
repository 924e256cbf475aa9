import { AddressFilter, type AddressRule } from '../../lib/http/address-filter.js';
import type { DeviceReach } from '../../platform/access/principal-data.js';
import type { CertificateClaim } from '../../platform/access/token-signer.js';
import type { DeviceClass } from '../../modules/devices/devices/device.schemas.js';
import { TopicRights, type TopicRules, type TopicUser } from './topic-rights.js';

/** What a key or certificate allows. All devices with the same rights share one object. */
export class CredentialRights {
  readonly topics: TopicRights;
  private readonly addresses?: AddressFilter;

  /** `reach` are the devices that share the key; `null` if it is not restricted. */
  constructor(
    rules: TopicRules,
    readonly reach: DeviceReach | null,
    addresses: AddressRule | null,
  ) {
    this.topics = new TopicRights(rules);
    this.addresses = addresses ? new AddressFilter(addresses) : undefined;
  }

  allowsAddress(address: string): boolean {
    return this.addresses?.allows(address) ?? true;
  }
}

/** How a device has signed in: with an access key, or with a certificate that ends. */
export type DeviceCredential =
  { readonly keyId: string } | { readonly certificate: CertificateClaim; readonly endsAt: number };

/** A device that has signed in, with its rights at that time. */
export class DeviceGrant implements TopicUser {
  constructor(
    readonly deviceId: string,
    readonly deviceClass: DeviceClass,
    readonly applicationId: string,
    readonly ownerId: string,
    readonly credential: DeviceCredential,
    /** IDs of the key, or of the certificate and its authority. */
    private readonly credentialIds: readonly string[],
    readonly allowed: CredentialRights,
  ) {}

  get rights(): TopicRights {
    return this.allowed.topics;
  }

  /** Time in milliseconds since 1970 at which the grant ends. */
  get endsAt(): number {
    return 'endsAt' in this.credential ? this.credential.endsAt : Infinity;
  }

  /** Returns whether the grant may end or change with one of the IDs. */
  dependsOn(ids: ReadonlySet<string>): boolean {
    return (
      ids.has(this.deviceId) ||
      ids.has(this.applicationId) ||
      ids.has(this.ownerId) ||
      this.credentialIds.some((id) => ids.has(id))
    );
  }
}
