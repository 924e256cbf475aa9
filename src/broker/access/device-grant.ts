import { AddressFilter, type AddressRule } from '../../lib/http/address-filter.js';
import type { DeviceReach } from '../../platform/access/principal-data.js';
import type { CertificateClaim } from '../../platform/access/token-signer.js';
import type { DeviceClass } from '../../modules/devices/devices/device.schemas.js';
import { TopicRights, type TopicRules, type TopicUser } from './topic-rights.js';

/** Facts about a device and its key or certificate that other devices with the same one have as well. */
export interface SharedFacts {
  readonly deviceClass: DeviceClass;
  readonly applicationId: string;
  readonly ownerId: string;
  /** ID of the access key; absent for a certificate. */
  readonly keyId?: string;
  readonly rules: TopicRules;
  /** Devices that share the key; `null` if it is not restricted. */
  readonly reach: DeviceReach | null;
  /** Addresses from which the key may be used; `null` for all. */
  readonly addresses?: AddressRule | null;
}

/** What a key or certificate allows. All devices with the same facts share one object. */
export class SharedGrant {
  readonly rights: TopicRights;
  private readonly addresses?: AddressFilter;

  constructor(readonly facts: SharedFacts) {
    this.rights = new TopicRights(facts.rules);
    this.addresses = facts.addresses ? new AddressFilter(facts.addresses) : undefined;
  }

  allowsAddress(address: string): boolean {
    return this.addresses?.allows(address) ?? true;
  }
}

/** A certificate with which a device has signed in. */
export interface PresentedCertificate {
  readonly claim: CertificateClaim;
  /** Time in milliseconds since 1970. */
  readonly endsAt: number;
  /** IDs of the certificate and its authority. */
  readonly ids: readonly string[];
}

/** A device that has signed in, with its rights at that time. There is one for each client, so it is small. */
export class DeviceGrant implements TopicUser {
  constructor(
    readonly deviceId: string,
    private readonly shared: SharedGrant,
    /** Absent if the device has signed in with a key. */
    readonly certificate?: PresentedCertificate,
  ) {}

  get deviceClass(): DeviceClass {
    return this.shared.facts.deviceClass;
  }

  get applicationId(): string {
    return this.shared.facts.applicationId;
  }

  get ownerId(): string {
    return this.shared.facts.ownerId;
  }

  get keyId(): string | undefined {
    return this.shared.facts.keyId;
  }

  get reach(): DeviceReach | null {
    return this.shared.facts.reach;
  }

  get rights(): TopicRights {
    return this.shared.rights;
  }

  /** Time in milliseconds since 1970 at which the grant ends. */
  get endsAt(): number {
    return this.certificate?.endsAt ?? Infinity;
  }

  allowsAddress(address: string): boolean {
    return this.shared.allowsAddress(address);
  }

  /** Returns whether the grant may end or change with one of the IDs. */
  dependsOn(ids: ReadonlySet<string>): boolean {
    const { keyId, applicationId, ownerId } = this.shared.facts;
    return (
      ids.has(this.deviceId) ||
      ids.has(applicationId) ||
      ids.has(ownerId) ||
      (keyId !== undefined && ids.has(keyId)) ||
      (this.certificate?.ids.some((id) => ids.has(id)) ?? false)
    );
  }
}
