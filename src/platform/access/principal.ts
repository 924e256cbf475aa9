import { Forbidden } from '../errors/errors.js';
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
}

/** The most that a token may do, whatever its owner may. */
export interface RoleCap {
  defaultRole?: Role;
  orgRoles: readonly { orgId: string; role: Role; applicationRoles?: readonly ResourceRoleGrant[] }[];
}

export interface PrincipalFacts {
  userId: string;
  /** The API token that speaks, where it is one. */
  tokenId?: string;
  name?: string;
  scopes: readonly string[];
  memberships: readonly Membership[];
  instances: readonly { instanceId: string; role: 'admin' | 'view' }[];
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
 * Who is asking: a user, in person or through an API token, with all that decides what they may do. It is read in one
 * statement and kept for a few seconds; whatever changes it drops it from every process first.
 */
export class Principal {
  readonly userId: string;
  readonly tokenId?: string;
  readonly name?: string;
  readonly scopes: ReadonlySet<string>;
  readonly issuedAt: number;
  readonly expiresAt?: number;
  private readonly organizations: ReadonlyMap<string, Membership>;
  private readonly instances: ReadonlyMap<string, 'admin' | 'view'>;
  /** The most that the token may do; absent where nothing caps it. */
  readonly cap?: RoleCap;
  private readonly reaches = new Map<Role, Reach>();

  constructor(facts: PrincipalFacts) {
    this.userId = facts.userId;
    this.tokenId = facts.tokenId;
    this.name = facts.name;
    this.scopes = new Set(facts.scopes);
    this.issuedAt = facts.issuedAt;
    this.expiresAt = facts.expiresAt;
    this.organizations = new Map(facts.memberships.map((membership) => [membership.orgId, membership]));
    this.instances = new Map(facts.instances.map(({ instanceId, role }) => [instanceId, role]));
    this.cap = facts.cap?.defaultRole || facts.cap?.orgRoles.length ? facts.cap : undefined;
  }

  /** Who a change is signed with: the API token, or the user in person. */
  get actor(): { id: string; type: 'apiToken' | 'user' } {
    return this.tokenId ? { id: this.tokenId, type: 'apiToken' } : { id: this.userId, type: 'user' };
  }

  /** The role in an organization: the member's own, not above the token's cap. */
  roleInOrganization(orgId: string): Role {
    const role = this.organizations.get(orgId)?.role ?? 'none';
    return lesser(role, this.capOf(orgId)?.role ?? this.defaultCap);
  }

  /** The role on an application of the given owner. A role on the application itself goes before the member's. */
  roleOn(application: OwnedApplication): Role {
    const { id, ownerId } = application;
    const membership = this.organizations.get(ownerId);
    const own =
      ownerId === this.userId
        ? 'admin'
        : (grantOn(membership?.applicationRoles, id) ?? membership?.role ?? 'none');
    const cap = this.capOf(ownerId === this.userId ? 'sandbox' : ownerId);
    return lesser(own, grantOn(cap?.applicationRoles, id) ?? cap?.role ?? this.defaultCap);
  }

  /** The role in an instance, or nothing for those who are not members. */
  roleInInstance(instanceId: string): 'admin' | 'view' | undefined {
    return this.instances.get(instanceId);
  }

  /** The organizations in which the role is `wanted` or more. */
  organizationsWith(wanted: Role): string[] {
    return [...this.organizations.keys()].filter((orgId) => atLeast(this.roleInOrganization(orgId), wanted));
  }

  /** The applications on which the role is `wanted` or more, as conditions for a statement. */
  reach(wanted: Role): Reach {
    let reach = this.reaches.get(wanted);
    if (!reach) {
      const owners = [this.userId, ...this.organizations.keys()];
      const single = [...this.organizations.values(), ...(this.cap?.orgRoles ?? [])].flatMap((place) =>
        (place.applicationRoles ?? []).map(({ resourceId }) => ({
          id: resourceId,
          ownerId: place.orgId === 'sandbox' ? this.userId : place.orgId,
        })),
      );
      const holds = (application: OwnedApplication) => atLeast(this.roleOn(application), wanted);
      reach = {
        owners: owners.filter((ownerId) => holds({ id: '', ownerId })),
        except: single.filter((application) => !holds(application)),
        also: single.filter(holds),
      };
      this.reaches.set(wanted, reach);
    }
    return reach;
  }

  /** Throws 403 unless a session speaks: what an API token must not do, such as living on under another name. */
  demandInPerson(message: string): void {
    if (this.tokenId) throw new Forbidden(message);
  }

  private capOf(orgId: string) {
    return this.cap?.orgRoles.find((role) => role.orgId === orgId);
  }

  private get defaultCap(): Role {
    return this.cap?.defaultRole ?? 'admin';
  }
}

function grantOn(grants: readonly ResourceRoleGrant[] | undefined, resourceId: string): Role | undefined {
  return grants?.find((grant) => grant.resourceId === resourceId)?.role;
}
