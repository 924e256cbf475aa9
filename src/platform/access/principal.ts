import { AddressFilter } from '../../lib/http/address-filter.js';
import { Forbidden, NotFound } from '../../lib/errors/errors.js';
import { ROLES, type Role } from '../operations/operation.js';
import type { PrincipalKind } from './kinds/kind.js';
import { PRINCIPAL_KINDS } from './kinds/kinds.js';
import type { Membership } from './memberships.js';
import type {
  ActorType,
  DeviceReach,
  InstancePlace,
  OwnedApplication,
  PrincipalData,
  RoleCap,
  Subject,
} from './principal-data.js';
import type { ResourceRole } from './resource-roles.js';

const ROLE_RANKS = new Map<Role, number>(ROLES.map((role, rank) => [role, rank]));

/** Returns whether `role` is at least `wanted`. */
export function atLeast(role: Role, wanted: Role): boolean {
  return ROLE_RANKS.get(role)! >= ROLE_RANKS.get(wanted)!;
}

const lowerRole = (a: Role, b: Role): Role => (atLeast(a, b) ? b : a);

/**
 * Applications on which a principal has some role: those of `owners` except `except`, and `additional`, which have other
 * owners.
 */
export interface AccessibleApplications {
  owners: readonly string[];
  except: readonly OwnedApplication[];
  additional: readonly OwnedApplication[];
}

/** Owners and applications for which a token's cap permits a given role. */
export interface CapExceptions {
  byDefault: boolean;
  /** Owners for which the opposite of `byDefault` applies. */
  owners: readonly string[];
  /** Applications for which the opposite of their owner's result applies. */
  applications: readonly OwnedApplication[];
}

const CAPPED_TOKEN_MESSAGE = 'A token with capped roles cannot create or join organizations';
/** Name by which caps refer to the user's own applications. */
const SANDBOX = 'sandbox';

/**
 * The authenticated caller: a user in person, a device, a workflow, or an API token of a user, an application or an instance.
 * Permissions in an organization depend on the caller's membership in it, which `Permissions` loads. Without that
 * membership, or with the membership in another organization, a decision treats the caller as a non-member.
 *
 * It is read in one statement and cached for a few seconds. Every change that affects it evicts it from all processes.
 */
export class Principal {
  readonly subject: Subject;
  readonly kind: PrincipalKind;
  readonly name?: string;
  readonly token?: { id: string; name: string };
  readonly scopes: ReadonlySet<string>;
  readonly issuedAt: number;
  readonly expiresAt?: number;
  /** Whether the caller is a user who belongs to any organization. */
  readonly isMember: boolean;
  private readonly instances: ReadonlyMap<string, InstancePlace>;
  private readonly applicationLimit?: number | null;
  private readonly application?: PrincipalData['application'];
  private readonly credentials: readonly string[];
  /** Addresses from which the token may be used; absent if unrestricted. */
  readonly addresses?: AddressFilter;
  /** Devices that the caller can access in its application; absent if unrestricted. */
  readonly devices?: DeviceReach;
  /** Upper limit of the token's roles; absent if uncapped. */
  readonly cap?: RoleCap;

  constructor(facts: PrincipalData) {
    this.subject = facts.subject;
    this.kind = PRINCIPAL_KINDS[facts.subject.type];
    this.name = facts.name;
    this.token = facts.token;
    this.scopes = new Set(facts.scopes);
    this.issuedAt = facts.issuedAt;
    this.expiresAt = facts.expiresAt;
    this.isMember = facts.isMember ?? false;
    this.instances = new Map((facts.instances ?? []).map((place) => [place.instanceId, place]));
    this.applicationLimit = facts.applicationLimit;
    this.application = facts.application;
    this.credentials = facts.credentials ?? [];
    this.addresses = facts.addresses ? new AddressFilter(facts.addresses) : undefined;
    this.devices = facts.devices ?? undefined;
    this.cap = facts.cap?.defaultRole || facts.cap?.orgRoles.length ? facts.cap : undefined;
  }

  /** Returns the user's ID. Throws `403` for tokens of applications, instances and devices, which have no account. */
  get userId(): string {
    if (!this.kind.hasAccount) throw new Forbidden('Only users can do this');
    return this.subject.id;
  }

  /**
   * ID of the owner to which the caller's requests are attributed: the owner of its application if any, otherwise the
   * caller.
   */
  get ownerId(): string {
    return this.application?.ownerId ?? this.subject.id;
  }

  /** The actor recorded with changes: the API token, the device, the workflow, or the user in person. */
  get actor(): { id: string; type: ActorType } {
    if (this.token) return { id: this.token.id, type: 'apiToken' };
    // Only workflows and principals that signed in have no API token.
    return { id: this.subject.id, type: this.subject.type as Exclude<ActorType, 'apiToken'> };
  }

  /** Size of the principal in the cache, in list entries. */
  get size(): number {
    const { deviceIds, deviceTags } = this.devices ?? { deviceIds: [], deviceTags: [] };
    return 1 + deviceIds.length + deviceTags.length + (this.addresses?.size ?? 0);
  }

  /** Whether any resource that the principal can access may belong to an organization. */
  get reachesOrganizations(): boolean {
    return this.isMember || !this.kind.hasAccount;
  }

  /**
   * Returns whether the principal depends on any of these IDs. They can identify its subject, its application, the
   * owner of the application, its key or certificate, or its instances.
   */
  dependsOn(ids: ReadonlySet<string>): boolean {
    const { subject, application, credentials } = this;
    const own = [subject.id, application?.id, application?.ownerId, ...credentials];
    if (own.some((id) => id !== undefined && ids.has(id))) return true;
    for (const instanceId of this.instances.keys()) if (ids.has(instanceId)) return true;
    return false;
  }

  /** Returns whether the caller is the application, or one of its devices or workflows. */
  belongsTo(applicationId: string): boolean {
    return this.application?.id === applicationId;
  }

  /** Returns whether the caller's role in the organization, or on its resources, may come from a membership. */
  mayBelongTo(orgId: string): boolean {
    return this.isMember && orgId !== this.subject.id;
  }

  /**
   * Returns the role in an organization: the member's role, limited by the token's cap. If the organization is
   * read-only or disabled, members keep their read access.
   */
  roleInOrganization(orgId: string, membership: Membership | undefined, reading = false): Role {
    const own = membershipIn(orgId, membership);
    const role = effectiveRole(own && reading ? { ...own, frozen: false } : own);
    return lowerRole(role, this.capOf(orgId)?.role ?? this.defaultCap);
  }

  /**
   * Returns the role on an application of the given owner, based on the caller's membership there. A role on the
   * application itself overrides the member's role.
   */
  roleOn({ id, ownerId }: OwnedApplication, membership: Membership | undefined): Role {
    if (this.application) return id === this.application.id ? this.roleInside(this.application) : 'none';
    const mine = this.kind.hasAccount && ownerId === this.subject.id;
    const own = mine ? 'admin' : effectiveRole(membershipIn(ownerId, membership), id);
    return lowerRole(own, this.capOn({ id, ownerId }));
  }

  /**
   * Returns the role in an instance: `admin`, `view` or `none`. With `orgId`, returns the role on that organization
   * through the instance. Access that a token's cap removes in the organization is not restored through the instance.
   */
  roleInInstance(instanceId: string, orgId?: string): Role {
    const place = this.instances.get(instanceId);
    if (!place || place.locked) return 'none';
    const cap = (orgId === undefined ? undefined : this.capOf(orgId)?.role) ?? this.defaultCap;
    const role = lowerRole(place.role, cap);
    return atLeast(role, 'admin') ? 'admin' : lowerRole(role, 'view');
  }

  /**
   * Throws `404` if the application is not visible to the caller, and `403` if the role on it is below `wanted`.
   * Returns the role.
   */
  assertRoleOn(application: OwnedApplication, wanted: Role, membership: Membership | undefined): Role {
    const role = this.roleOn(application, membership);
    this.assertRole(role, wanted, 'Application', membershipIn(application.ownerId, membership));
    return role;
  }

  /** Like `assertRoleOn`, for an organization. */
  assertRoleInOrganization(
    orgId: string,
    wanted: Role,
    membership: Membership | undefined,
    reading = false,
  ): void {
    const role = this.roleInOrganization(orgId, membership, reading);
    this.assertRole(role, wanted, 'Organization', membershipIn(orgId, membership));
  }

  /**
   * Throws `404` unless the user is a member of the organization, even one without any role. An organization that the
   * token's cap hides stays hidden.
   */
  assertMembership(orgId: string, membership: Membership | undefined): void {
    if (this.cap) this.assertRoleInOrganization(orgId, 'view', membership);
    if (!membershipIn(orgId, membership)) throw new NotFound('Organization');
  }

  /**
   * Throws `403` if a cap lowers the user's role in the organization, or in a new one. Capped tokens can neither create
   * nor join organizations.
   */
  assertUncapped(orgId?: string): void {
    const cap = (orgId === undefined ? undefined : this.capOf(orgId)?.role) ?? this.defaultCap;
    if (!atLeast(cap, 'admin')) throw new Forbidden(CAPPED_TOKEN_MESSAGE);
  }

  /** Like `assertRoleOn`, for an instance, or for an organization in it. */
  assertRoleInInstance(instanceId: string, wanted: Role, orgId?: string): void {
    const place = this.instances.get(instanceId);
    this.assertRole(this.roleInInstance(instanceId), 'view', 'Instance', place);
    this.assertRole(
      this.roleInInstance(instanceId, orgId),
      wanted,
      orgId === undefined ? 'Instance' : 'Organization',
    );
  }

  /** Returns the instances in which the role is at least `wanted`. */
  instancesWith(wanted: Role): string[] {
    return [...this.instances.keys()].filter((id) => atLeast(this.roleInInstance(id), wanted));
  }

  /** Returns whether the number of applications is limited in the user's sandbox, or in the organization. */
  limitsApplications(ownerId: string, membership: Membership | undefined): boolean {
    const limit =
      ownerId === this.subject.id
        ? this.applicationLimit
        : membershipIn(ownerId, membership)?.applicationLimit;
    return typeof limit === 'number';
  }

  /**
   * Returns the applications on which the role is at least `wanted`, from the sandbox and these memberships. With
   * `ownerId`, only those of this owner.
   */
  reach(wanted: Role, memberships: readonly Membership[], ownerId?: string): AccessibleApplications {
    const known = new Map(memberships.map((membership) => [membership.orgId, membership]));
    const isMeant = (owner: string) => ownerId === undefined || owner === ownerId;
    const holds = (application: OwnedApplication) =>
      atLeast(this.roleOn(application, known.get(application.ownerId)), wanted);
    if (!this.kind.hasAccount) {
      const only = this.application && { id: this.application.id, ownerId: this.application.ownerId };
      return {
        owners: [],
        except: [],
        additional: only && isMeant(only.ownerId) && holds(only) ? [only] : [],
      };
    }
    const granted = memberships.flatMap(({ orgId, applicationRoles }) =>
      applicationRoles.map(({ resourceId }) => ({ id: resourceId, ownerId: orgId })),
    );
    const single = [...granted, ...this.cappedApplications].filter((each) => isMeant(each.ownerId));
    const owners = [this.subject.id, ...known.keys()].filter(
      (owner) => isMeant(owner) && holds({ id: '', ownerId: owner }),
    );
    const whole = new Set(owners);
    return {
      owners,
      except: single.filter((each) => whole.has(each.ownerId) && !holds(each)),
      additional: single.filter((each) => !whole.has(each.ownerId) && holds(each)),
    };
  }

  /**
   * Returns whether the token's cap permits `wanted` by default, and the owners and applications that are exceptions.
   */
  capFor(wanted: Role): CapExceptions {
    const allows = (application: OwnedApplication) => atLeast(this.capOn(application), wanted);
    const whole = (ownerId: string) => allows({ id: '', ownerId });
    const byDefault = atLeast(this.defaultCap, wanted);
    const owners = new Set((this.cap?.orgRoles ?? []).map(({ orgId }) => this.ownerOf(orgId)));
    return {
      byDefault,
      owners: [...owners].filter((ownerId) => whole(ownerId) !== byDefault),
      applications: this.cappedApplications.filter(
        (application) => allows(application) !== whole(application.ownerId),
      ),
    };
  }

  /**
   * Returns the user's ID for a session, and throws `403` for API tokens. Guards actions that API tokens must not
   * perform, such as renewing themselves under another name.
   */
  assertSession(message: string): string {
    const { userId } = this;
    if (this.token) throw new Forbidden(message);
    return userId;
  }

  private assertRole(role: Role, wanted: Role, title: string, place?: { locked?: boolean }): void {
    if (place?.locked) throw new Forbidden(`${title} requires two-factor authentication: enable it first`);
    if (!atLeast(role, 'view')) throw new NotFound(title);
    if (!atLeast(role, wanted)) throw new Forbidden();
  }

  /**
   * Returns the role of an application, or of one of its devices and workflows, in the application. Devices and
   * workflows collaborate in it but administer nothing.
   */
  private roleInside({ frozen }: { frozen: boolean }): Role {
    const own = this.kind.roleInside ?? 'none';
    return lowerRole(frozen ? lowerRole(own, 'view') : own, this.defaultCap);
  }

  private capOf(orgId: string) {
    return this.cap?.orgRoles.find((role) => role.orgId === orgId);
  }

  private capOn({ id, ownerId }: OwnedApplication): Role {
    const cap = this.capOf(ownerId === this.subject.id ? SANDBOX : ownerId);
    return grantOn(cap?.applicationRoles, id) ?? cap?.role ?? this.defaultCap;
  }

  /** Returns the owner that a cap refers to; `sandbox` is the user. */
  private ownerOf(orgId: string): string {
    return orgId === SANDBOX ? this.subject.id : orgId;
  }

  private get cappedApplications(): OwnedApplication[] {
    return (this.cap?.orgRoles ?? []).flatMap(({ orgId, applicationRoles = [] }) =>
      applicationRoles.map(({ resourceId }) => ({ id: resourceId, ownerId: this.ownerOf(orgId) })),
    );
  }

  private get defaultCap(): Role {
    return this.cap?.defaultRole ?? 'admin';
  }
}

/** Returns the membership if it belongs to the organization. */
function membershipIn(orgId: string, membership: Membership | undefined): Membership | undefined {
  return membership?.orgId === orgId ? membership : undefined;
}

/** Returns the effective role of a membership, in the organization or on one of its applications. */
function effectiveRole(membership: Membership | undefined, applicationId?: string): Role {
  if (!membership || membership.locked) return 'none';
  const granted =
    applicationId === undefined ? undefined : grantOn(membership.applicationRoles, applicationId);
  const role = granted ?? membership.role;
  return membership.frozen ? lowerRole(role, 'view') : role;
}

function grantOn(grants: readonly ResourceRole[] | undefined, resourceId: string): Role | undefined {
  return grants?.find((grant) => grant.resourceId === resourceId)?.role;
}
