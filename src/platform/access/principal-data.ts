import type { AddressRule } from '../../lib/http/address-filter.js';
import type { Role } from '../operations/operation.js';
import type { KindName, SessionKindName } from './kinds/kinds.js';
import type { ResourceRole } from './resource-roles.js';

export type InstanceRole = 'admin' | 'view';

/** A user's membership in one instance. */
export interface InstancePlace {
  instanceId: string;
  role: InstanceRole;
  /** The instance requires a second factor that the user has not enabled. */
  locked?: boolean;
}

/** Upper limit of a token's roles, regardless of the roles of its owner. */
export interface RoleCap {
  defaultRole?: Role;
  orgRoles: readonly { orgId: string; role: Role; applicationRoles?: readonly ResourceRole[] }[];
}

/** Subject of a token, such as a user or device. */
export interface Subject {
  type: KindName;
  id: string;
}

/** Type of the actor recorded with a change. */
export type ActorType = 'apiToken' | 'flow' | SessionKindName;

export interface PrincipalData {
  subject: Subject;
  /** The email address of the user, or the name of the application, instance or device. */
  name?: string;
  /** The API token, if the caller uses one. */
  token?: { id: string; name: string };
  scopes: readonly string[];
  /** For users: whether they are a member of any organization. */
  isMember?: boolean;
  instances?: readonly InstancePlace[];
  applicationLimit?: number | null;
  /** For applications and devices: the application, and whether its owning organization is read-only or disabled. */
  application?: OwnedApplication & { frozen: boolean };
  /**
   * For devices: IDs whose revocation evicts the token. These identify the access key, or the certificate and its
   * authority.
   */
  credentials?: readonly string[];
  /** For devices whose key or certificate is restricted: the devices that may use it, including this one. */
  devices?: DeviceReach | null;
  /** For devices whose key is restricted to certain addresses. */
  addresses?: AddressRule | null;
  cap?: RoleCap;
  /** Times of issue and expiration, in seconds since the epoch. Without `expiresAt`, the token never expires. */
  issuedAt: number;
  expiresAt?: number;
}

/**
 * Devices of one application that have one of these IDs or carry one of these tags. An omitted `key` or `value` of a
 * tag matches any.
 */
export interface DeviceReach {
  deviceIds: string[];
  deviceTags: { key?: string; value?: string }[];
}

/** An application and its owner. An ID that is paired with the wrong owner matches no application. */
export interface OwnedApplication {
  id: string;
  ownerId: string;
}
