import { AddressFilter, type AddressRule } from '../../lib/http/address-filter.js';
import { Forbidden, NotFound } from '../../lib/errors/errors.js';
import { ROLES, type Role } from '../operations/operation.js';
import type { Membership } from './memberships.js';
import type { ResourceRole } from './resource-roles.js';

export type InstanceRole = 'admin' | 'view';

/** A user's place in one instance. */
export interface InstancePlace {
  instanceId: string;
  role: InstanceRole;
  /** The instance asks for a second factor that the user has not turned on. */
  locked?: boolean;
}

/** The most that a token may do, whatever its owner may. */
export interface RoleCap {
  defaultRole?: Role;
  orgRoles: readonly { orgId: string; role: Role; applicationRoles?: readonly ResourceRole[] }[];
}

/** Whom a token speaks for: a user, or an application, instance or device itself. */
export interface Subject {
  type: 'user' | 'application' | 'instance' | 'device';
  id: string;
}

export interface PrincipalFacts {
  subject: Subject;
  /** The user's e-mail address; the name of the application, instance or device. */
  name?: string;
  /** The API token that speaks, where it is one. */
  token?: { id: string; name: string };
  scopes: readonly string[];
  /** Of a user: whether they are a member of any organization. */
  isMember?: boolean;
  instances?: readonly InstancePlace[];
  applicationLimit?: number | null;
  /** Of an application or device: the application, and whether the organization that owns it is read-only or disabled. */
  application?: OwnedApplication & { frozen: boolean };
  /** Of a device: what it signed in with, by whatever it is dropped by: its key, or its certificate and the authority of that. */
  credentials?: readonly string[];
  /** Of a device whose key or certificate not all devices may use: those that may, itself among them. */
  devices?: DeviceReach | null;
  /** Of a device whose key may not be used from everywhere. */
  addresses?: AddressRule | null;
  cap?: RoleCap;
  /** When the token was issued and when it ends, in seconds since the epoch; no end means never. */
  issuedAt: number;
  expiresAt?: number;
}

/** Devices of one application: those of these ids, and those that carry one of these tags, of which an absent part matches any. */
export interface DeviceReach {
  deviceIds: string[];
  deviceTags: { key?: string; value?: string }[];
}

const RANK = new Map<Role, number>(ROLES.map((role, rank) => [role, rank]));

/** Whether `role` is `wanted` or more. */
export function atLeast(role: Role, wanted: Role): boolean {
  return RANK.get(role)! >= RANK.get(wanted)!;
}

const lesser = (a: Role, b: Role): Role => (atLeast(a, b) ? b : a);

/** An application of that owner: whoever names another's by its id names none. */
export interface OwnedApplication {
  id: string;
  ownerId: string;
}

/** Which applications a principal reaches with some role: those of `owners` without `except`, and `also`, of other owners. */
export interface Reach {
  owners: readonly string[];
  except: readonly OwnedApplication[];
  also: readonly OwnedApplication[];
}

/** What a token's cap leaves of some role. */
export interface CapFor {
  byDefault: boolean;
  /** Owners for which it is the other way round. */
  owners: readonly string[];
  /** Applications for which it is not as it is for their owners. */
  applications: readonly OwnedApplication[];
}

const CAPPED = 'A token with capped roles cannot make or join organizations';
/** What caps call the user's own applications. */
const SANDBOX = 'sandbox';

/**
 * Who is asking: a user in person, a device, or an API token of a user, an application or an instance. What they may do in an
 * organization follows from their membership there, which `Rights` finds; a decision that is not given it, or is given
 * that in another organization, falls as if there were none.
 *
 * It is read in one statement and kept for a few seconds; whatever changes it drops it from every process.
 */
export class Principal {
  readonly subject: Subject;
  readonly name?: string;
  readonly token?: { id: string; name: string };
  readonly scopes: ReadonlySet<string>;
  readonly issuedAt: number;
  readonly expiresAt?: number;
  /** Whether it is a user who is a member of any organization. */
  readonly isMember: boolean;
  private readonly instances: ReadonlyMap<string, InstancePlace>;
  private readonly applicationLimit?: number | null;
  private readonly application?: PrincipalFacts['application'];
  private readonly credentials: readonly string[];
  /** From where the token may be used; absent, from everywhere. */
  readonly addresses?: AddressFilter;
  /** The devices that it reaches in its application; absent where these are all. */
  readonly devices?: DeviceReach;
  /** The most that the token may do; absent where nothing caps it. */
  readonly cap?: RoleCap;

  constructor(facts: PrincipalFacts) {
    this.subject = facts.subject;
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

  /** The user; 403 for the token of an application or instance, which has no account of its own. */
  get userId(): string {
    if (this.subject.type !== 'user') throw new Forbidden('Only users may do this');
    return this.subject.id;
  }

  /** Whose requests its own are: the owner's of the application that it is or is in, or its own. */
  get ownerId(): string {
    return this.application?.ownerId ?? this.subject.id;
  }

  /** Who a change is signed with: the API token, the device, or the user in person. */
  get actor(): { id: string; type: 'apiToken' | 'device' | 'user' } {
    if (this.token) return { id: this.token.id, type: 'apiToken' };
    return { id: this.subject.id, type: this.subject.type === 'device' ? 'device' : 'user' };
  }

  /** How much is kept with it, in entries of lists. */
  get size(): number {
    const { deviceIds, deviceTags } = this.devices ?? { deviceIds: [], deviceTags: [] };
    return 1 + deviceIds.length + deviceTags.length + (this.addresses?.size ?? 0);
  }

  /** Whether anything that the principal reaches can belong to an organization. */
  get reachesOrganizations(): boolean {
    return this.isMember || this.subject.type !== 'user';
  }

  /**
   * Whether what it is follows from one of these: whom it speaks for, the application that it is or is in, who owns that, its
   * key or certificate, or its instances.
   */
  followsFrom(ids: ReadonlySet<string>): boolean {
    const { subject, application, credentials } = this;
    const own = [subject.id, application?.id, application?.ownerId, ...credentials];
    if (own.some((id) => id !== undefined && ids.has(id))) return true;
    for (const instanceId of this.instances.keys()) if (ids.has(instanceId)) return true;
    return false;
  }

  /** Whether the caller's role in the organization, or on what it owns, may follow from a membership. */
  mayBelongTo(orgId: string): boolean {
    return this.isMember && orgId !== this.subject.id;
  }

  /**
   * The role in an organization: the member's own, not above the token's cap. One that is read-only or disabled takes
   * nothing from what a member may read.
   */
  roleInOrganization(orgId: string, membership: Membership | undefined, reading = false): Role {
    const own = of(orgId, membership);
    const role = effective(own && reading ? { ...own, frozen: false } : own);
    return lesser(role, this.capOf(orgId)?.role ?? this.defaultCap);
  }

  /**
   * The role on an application of the given owner, with the caller's membership there. A role on the application itself
   * goes before the member's.
   */
  roleOn({ id, ownerId }: OwnedApplication, membership: Membership | undefined): Role {
    if (this.application) return id === this.application.id ? this.roleInside(this.application) : 'none';
    const mine = this.subject.type === 'user' && ownerId === this.subject.id;
    const own = mine ? 'admin' : effective(of(ownerId, membership), id);
    return lesser(own, this.capOn({ id, ownerId }));
  }

  /**
   * The role in an instance: `admin`, `view` or `none`. With `orgId`, that on an organization as the instance runs it: what
   * a token's cap takes away there does not come back through the instance.
   */
  roleInInstance(instanceId: string, orgId?: string): Role {
    const place = this.instances.get(instanceId);
    if (!place || place.locked) return 'none';
    const cap = (orgId === undefined ? undefined : this.capOf(orgId)?.role) ?? this.defaultCap;
    const role = lesser(place.role, cap);
    return atLeast(role, 'admin') ? 'admin' : lesser(role, 'view');
  }

  /**
   * Throws 404 where the application is out of sight, 403 where the role on it is smaller than `wanted`. Returns the
   * role.
   */
  demandOn(application: OwnedApplication, wanted: Role, membership: Membership | undefined): Role {
    const role = this.roleOn(application, membership);
    this.demand(role, wanted, 'Application', of(application.ownerId, membership));
    return role;
  }

  /** As `demandOn`, for an organization. */
  demandInOrganization(
    orgId: string,
    wanted: Role,
    membership: Membership | undefined,
    reading = false,
  ): void {
    const role = this.roleInOrganization(orgId, membership, reading);
    this.demand(role, wanted, 'Organization', of(orgId, membership));
  }

  /**
   * Throws 404 unless the user is a member of the organization, be it one without any rights there. What a token's cap
   * keeps out of sight stays there.
   */
  demandMembership(orgId: string, membership: Membership | undefined): void {
    if (this.cap) this.demandInOrganization(orgId, 'view', membership);
    if (!of(orgId, membership)) throw new NotFound('Organization');
  }

  /** Throws 403 where a cap lowers the user's role in the organization, or in one that is new: it makes and joins none. */
  demandUncapped(orgId?: string): void {
    const cap = (orgId === undefined ? undefined : this.capOf(orgId)?.role) ?? this.defaultCap;
    if (!atLeast(cap, 'admin')) throw new Forbidden(CAPPED);
  }

  /** As `demandOn`, for an instance, or an organization in it. */
  demandInInstance(instanceId: string, wanted: Role, orgId?: string): void {
    const place = this.instances.get(instanceId);
    this.demand(this.roleInInstance(instanceId), 'view', 'Instance', place);
    this.demand(
      this.roleInInstance(instanceId, orgId),
      wanted,
      orgId === undefined ? 'Instance' : 'Organization',
    );
  }

  /** The instances in which the role is `wanted` or more. */
  instancesWith(wanted: Role): string[] {
    return [...this.instances.keys()].filter((id) => atLeast(this.roleInInstance(id), wanted));
  }

  /** Whether the user's sandbox, or the organization, may own only so many applications. */
  limitsApplications(ownerId: string, membership: Membership | undefined): boolean {
    const limit =
      ownerId === this.subject.id ? this.applicationLimit : of(ownerId, membership)?.applicationLimit;
    return typeof limit === 'number';
  }

  /**
   * The applications on which the role is `wanted` or more: those of the sandbox and of these memberships, or of one of the
   * owners alone.
   */
  reach(wanted: Role, memberships: readonly Membership[], ownerId?: string): Reach {
    const known = new Map(memberships.map((membership) => [membership.orgId, membership]));
    const isMeant = (owner: string) => ownerId === undefined || owner === ownerId;
    const holds = (application: OwnedApplication) =>
      atLeast(this.roleOn(application, known.get(application.ownerId)), wanted);
    if (this.subject.type !== 'user') {
      const only = this.application && { id: this.application.id, ownerId: this.application.ownerId };
      return { owners: [], except: [], also: only && isMeant(only.ownerId) && holds(only) ? [only] : [] };
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
      also: single.filter((each) => !whole.has(each.ownerId) && holds(each)),
    };
  }

  /** What the token's cap leaves of `wanted`: by default, and where it says otherwise of owners and of applications. */
  capFor(wanted: Role): CapFor {
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

  /** The user, where a session speaks, or 403: what an API token must not do, such as living on under another name. */
  demandInPerson(message: string): string {
    const { userId } = this;
    if (this.token) throw new Forbidden(message);
    return userId;
  }

  private demand(role: Role, wanted: Role, title: string, place?: { locked?: boolean }): void {
    if (place?.locked) throw new Forbidden(`${title} asks for a second factor: turn yours on first`);
    if (!atLeast(role, 'view')) throw new NotFound(title);
    if (!atLeast(role, wanted)) throw new Forbidden();
  }

  /** What an application is to itself, and to its devices, which work in it and run nothing. */
  private roleInside({ frozen }: { frozen: boolean }): Role {
    const own = this.subject.type === 'device' ? 'collaborate' : 'admin';
    return lesser(frozen ? 'view' : own, this.defaultCap);
  }

  private capOf(orgId: string) {
    return this.cap?.orgRoles.find((role) => role.orgId === orgId);
  }

  private capOn({ id, ownerId }: OwnedApplication): Role {
    const cap = this.capOf(ownerId === this.subject.id ? SANDBOX : ownerId);
    return grantOn(cap?.applicationRoles, id) ?? cap?.role ?? this.defaultCap;
  }

  /** The owner that a cap means by this: the user themselves by `sandbox`. */
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

/** The membership where it is one in that organization. */
function of(orgId: string, membership: Membership | undefined): Membership | undefined {
  return membership?.orgId === orgId ? membership : undefined;
}

/** What a membership comes to, in the organization or on one of its applications. */
function effective(membership: Membership | undefined, applicationId?: string): Role {
  if (!membership || membership.locked) return 'none';
  const granted =
    applicationId === undefined ? undefined : grantOn(membership.applicationRoles, applicationId);
  const role = granted ?? membership.role;
  return membership.frozen ? lesser(role, 'view') : role;
}

function grantOn(grants: readonly ResourceRole[] | undefined, resourceId: string): Role | undefined {
  return grants?.find((grant) => grant.resourceId === resourceId)?.role;
}
