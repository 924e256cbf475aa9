import { Forbidden, NotFound } from '../errors/errors.js';
import { ROLES, type Role } from '../operation.js';

export interface ResourceRoleGrant {
  resourceId: string;
  role: Role;
}

/** A user's place in one organization. */
export interface Membership {
  orgId: string;
  role: Role;
  applicationRoles: readonly ResourceRoleGrant[];
  /** How many applications it may own, where that is limited. */
  applicationLimit?: number | null;
  /** The organization is read-only or disabled: nobody may do more than look. */
  frozen?: boolean;
  /** The organization asks for a second factor that the user has not turned on. */
  locked?: boolean;
}

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
  orgRoles: readonly { orgId: string; role: Role; applicationRoles?: readonly ResourceRoleGrant[] }[];
}

/** Whom a token speaks for: a user, or an application or instance itself. */
export interface Subject {
  type: 'user' | 'application' | 'instance';
  id: string;
}

export interface PrincipalFacts {
  subject: Subject;
  /** The user's e-mail address; the name of the application or instance. */
  name?: string;
  /** The API token that speaks, where it is one. */
  token?: { id: string; name: string };
  scopes: readonly string[];
  /** Of a user. */
  memberships?: readonly Membership[];
  instances?: readonly InstancePlace[];
  applicationLimit?: number | null;
  /** Of an application: who owns it, and whether that organization is read-only or disabled. */
  application?: { ownerId: string; frozen: boolean };
  cap?: RoleCap;
  /** When the token was issued and when it ends, in seconds since the epoch; no end means never. */
  issuedAt: number;
  expiresAt?: number;
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

/** Which applications a principal reaches with some role: those of `owners`, without `except`, and `also`. */
export interface Reach {
  owners: readonly string[];
  except: readonly OwnedApplication[];
  also: readonly OwnedApplication[];
}

/**
 * Who is asking, with all that decides what they may do: a user in person, or an API token of a user, an application or
 * an instance. It is read in one statement and kept for a few seconds; whatever changes it drops it from every process.
 */
export class Principal {
  readonly subject: Subject;
  readonly name?: string;
  readonly token?: { id: string; name: string };
  readonly scopes: ReadonlySet<string>;
  readonly issuedAt: number;
  readonly expiresAt?: number;
  private readonly organizations: ReadonlyMap<string, Membership>;
  private readonly instances: ReadonlyMap<string, InstancePlace>;
  private readonly applicationLimit?: number | null;
  private readonly application?: PrincipalFacts['application'];
  /** The most that the token may do; absent where nothing caps it. */
  readonly cap?: RoleCap;
  private readonly reaches = new Map<Role, Reach>();

  constructor(facts: PrincipalFacts) {
    this.subject = facts.subject;
    this.name = facts.name;
    this.token = facts.token;
    this.scopes = new Set(facts.scopes);
    this.issuedAt = facts.issuedAt;
    this.expiresAt = facts.expiresAt;
    this.organizations = new Map(
      (facts.memberships ?? []).map((membership) => [membership.orgId, membership]),
    );
    this.instances = new Map((facts.instances ?? []).map((place) => [place.instanceId, place]));
    this.applicationLimit = facts.applicationLimit;
    this.application = facts.application;
    this.cap = facts.cap?.defaultRole || facts.cap?.orgRoles.length ? facts.cap : undefined;
  }

  /** The user; 403 for the token of an application or instance, which has no account of its own. */
  get userId(): string {
    if (this.subject.type !== 'user') throw new Forbidden('Only users may do this');
    return this.subject.id;
  }

  /** Who a change is signed with: the API token, or the user in person. */
  get actor(): { id: string; type: 'apiToken' | 'user' } {
    return this.token ? { id: this.token.id, type: 'apiToken' } : { id: this.subject.id, type: 'user' };
  }

  /** Whether anything that the principal reaches can belong to an organization. */
  get reachesOrganizations(): boolean {
    return this.organizations.size > 0 || this.subject.type !== 'user';
  }

  /** Whether what it may do follows from one of these: whom it speaks for, or who owns the application that it is. */
  followsFrom(ids: ReadonlySet<string>): boolean {
    return ids.has(this.subject.id) || (this.application !== undefined && ids.has(this.application.ownerId));
  }

  /**
   * The role in an organization: the member's own, not above the token's cap. One that is read-only or disabled takes
   * nothing from what a member may read.
   */
  roleInOrganization(orgId: string, reading = false): Role {
    const membership = this.organizations.get(orgId);
    const role = effective(membership && reading ? { ...membership, frozen: false } : membership);
    return lesser(role, this.capOf(orgId)?.role ?? this.defaultCap);
  }

  /** The role on an application of the given owner. A role on the application itself goes before the member's. */
  roleOn(application: OwnedApplication): Role {
    const { id, ownerId } = application;
    if (this.application) return id === this.subject.id ? this.roleOnItself(this.application) : 'none';
    const membership = this.organizations.get(ownerId);
    const mine = this.subject.type === 'user' && ownerId === this.subject.id;
    const own = mine ? 'admin' : effective(membership, id);
    const cap = this.capOf(mine ? 'sandbox' : ownerId);
    return lesser(own, grantOn(cap?.applicationRoles, id) ?? cap?.role ?? this.defaultCap);
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

  /** Throws 404 where the application is out of sight, 403 where the role on it is smaller than `wanted`. */
  demandOn(application: OwnedApplication, wanted: Role): void {
    this.demand(this.roleOn(application), wanted, 'Application', this.organizations.get(application.ownerId));
  }

  /** As `demandOn`, for an organization. */
  demandInOrganization(orgId: string, wanted: Role, reading = false): void {
    const role = this.roleInOrganization(orgId, reading);
    this.demand(role, wanted, 'Organization', this.organizations.get(orgId));
  }

  /**
   * Throws 404 unless the user is a member of the organization, be it one without any rights there. What a token's cap
   * keeps out of sight stays there.
   */
  demandMembership(orgId: string): void {
    if (this.cap) this.demandInOrganization(orgId, 'view');
    if (!this.organizations.has(orgId)) throw new NotFound('Organization');
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

  /** The organizations in which the role is `wanted` or more. */
  organizationsWith(wanted: Role): string[] {
    return [...this.organizations.keys()].filter((orgId) => atLeast(this.roleInOrganization(orgId), wanted));
  }

  /** The instances in which the role is `wanted` or more. */
  instancesWith(wanted: Role): string[] {
    return [...this.instances.keys()].filter((id) => atLeast(this.roleInInstance(id), wanted));
  }

  /** Whether the user's sandbox, or the organization, may own only so many applications. */
  limitsApplications(ownerId: string): boolean {
    const membership = this.organizations.get(ownerId);
    const limit = ownerId === this.subject.id ? this.applicationLimit : membership?.applicationLimit;
    return typeof limit === 'number';
  }

  /** The applications on which the role is `wanted` or more, as conditions for a statement. */
  reach(wanted: Role): Reach {
    let reach = this.reaches.get(wanted);
    if (!reach) this.reaches.set(wanted, (reach = this.reachOf(wanted)));
    return reach;
  }

  /** Throws 403 unless a session speaks: what an API token must not do, such as living on under another name. */
  demandInPerson(message: string): void {
    if (this.token) throw new Forbidden(message);
  }

  private reachOf(wanted: Role): Reach {
    const holds = (application: OwnedApplication) => atLeast(this.roleOn(application), wanted);
    if (this.subject.type !== 'user') {
      const itself = this.application && { id: this.subject.id, ownerId: this.application.ownerId };
      return { owners: [], except: [], also: itself && holds(itself) ? [itself] : [] };
    }
    const userId = this.subject.id;
    const single = [...this.organizations.values(), ...(this.cap?.orgRoles ?? [])].flatMap((place) =>
      (place.applicationRoles ?? []).map(({ resourceId }) => ({
        id: resourceId,
        ownerId: place.orgId === 'sandbox' ? userId : place.orgId,
      })),
    );
    return {
      owners: [userId, ...this.organizations.keys()].filter((ownerId) => holds({ id: '', ownerId })),
      except: single.filter((application) => !holds(application)),
      also: single.filter(holds),
    };
  }

  private demand(role: Role, wanted: Role, title: string, place?: { locked?: boolean }): void {
    if (place?.locked) throw new Forbidden(`${title} asks for a second factor: turn yours on first`);
    if (!atLeast(role, 'view')) throw new NotFound(title);
    if (!atLeast(role, wanted)) throw new Forbidden();
  }

  private roleOnItself({ frozen }: { frozen: boolean }): Role {
    return lesser(frozen ? 'view' : 'admin', this.defaultCap);
  }

  private capOf(orgId: string) {
    return this.cap?.orgRoles.find((role) => role.orgId === orgId);
  }

  private get defaultCap(): Role {
    return this.cap?.defaultRole ?? 'admin';
  }
}

/** What a membership comes to, in the organization or on one of its applications. */
function effective(membership: Membership | undefined, applicationId?: string): Role {
  if (!membership || membership.locked) return 'none';
  const granted =
    applicationId === undefined ? undefined : grantOn(membership.applicationRoles, applicationId);
  const role = granted ?? membership.role;
  return membership.frozen ? lesser(role, 'view') : role;
}

function grantOn(grants: readonly ResourceRoleGrant[] | undefined, resourceId: string): Role | undefined {
  return grants?.find((grant) => grant.resourceId === resourceId)?.role;
}
