import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { prepared } from '../database/statements.js';
import type { Role } from '../operations/operation.js';
import { AccessCache } from './access-cache.js';
import { membershipsSql, parseMemberships, type Membership, type Memberships } from './memberships.js';
import { placeId, type PathIds } from './places.js';
import type { Principal, AccessibleApplications } from './principal.js';
import type { ApplicationAccess } from './request.js';
import {
  organizationId,
  parseAccessContext,
  accessContextParameters,
  accessContextSql,
  type AccessContext,
} from './access-context.js';

const ACCESS_CONTEXT = `SELECT ${accessContextSql('$1', 2)}`;
const SECOND_FACTOR =
  'SELECT FROM users u WHERE u.id = $1 AND (u.two_factor_key IS NOT NULL OR u.sso_linked)';
const MEMBERSHIPS = `SELECT ${membershipsSql('$1')}`;

type Owned = Omit<ApplicationAccess, 'role'>;

/**
 * Permissions of callers in places. Memberships are read when needed and cached for a few seconds. All memberships of a
 * user are only read together if there are few.
 */
@Injectable()
export class Permissions {
  constructor(
    private readonly database: Database,
    private readonly cache: AccessCache,
  ) {}

  /** Returns the caller's standing in the place that a path names if it is cached. */
  cachedContext(caller: Principal, ids: PathIds): AccessContext | undefined {
    const id = placeId(ids);
    const place = id === undefined ? undefined : this.cache.place(id);
    if (id !== undefined && !place) return undefined;
    const orgId = organizationId(ids, place);
    if (orgId === undefined || !caller.mayBelongTo(orgId)) return { place };
    const membership = this.cache.membership(caller.subject.id, orgId);
    return membership === undefined ? undefined : { place, membership: membership ?? undefined };
  }

  /** Returns the caller's standing in the place that a path names, read in one statement. */
  async find(caller: Principal, ids: PathIds): Promise<AccessContext> {
    const user = caller.isMember ? caller.subject.id : null;
    const reading = this.read(user, ids);
    const [place, membership] = await Promise.all([
      this.cache.loadPlace(async () => (await reading).place),
      this.cache.loadMembership(caller.subject.id, async () => (await reading).membership),
    ]);
    return { place, membership };
  }

  /** Returns the caller's membership in an organization, or `undefined` if the caller is not a member. */
  async membership(caller: Principal, orgId: string): Promise<Membership | undefined> {
    const { membership } = this.cachedContext(caller, { orgId }) ?? (await this.find(caller, { orgId }));
    return membership;
  }

  /**
   * Returns the resources on which the caller's role is at least `wanted`, limited to one owner if `ownerId` is set.
   * Returns `many` if the caller has too many memberships to list.
   */
  async reach(caller: Principal, wanted: Role, ownerId?: string): Promise<AccessibleApplications | 'many'> {
    const memberships =
      ownerId === undefined
        ? await this.memberships(caller)
        : [await this.membership(caller, ownerId)].filter((found) => found !== undefined);
    return memberships === 'many' ? 'many' : caller.reach(wanted, memberships, ownerId);
  }

  /** Like `Principal.assertRoleOn`, but loads the required membership. */
  async assertRoleOn(caller: Principal, application: Owned, wanted: Role): Promise<void> {
    const { ownerId, ownerType } = application;
    const membership = ownerType === 'organization' ? await this.membership(caller, ownerId) : undefined;
    caller.assertRoleOn(application, wanted, membership);
  }

  /** Like `Principal.assertRoleInOrganization`, but loads the required membership and returns it. */
  async assertRoleInOrganization(
    caller: Principal,
    orgId: string,
    wanted: Role,
  ): Promise<Membership | undefined> {
    const membership = await this.membership(caller, orgId);
    caller.assertRoleInOrganization(orgId, wanted, membership);
    return membership;
  }

  /** Returns whether a user signs in with a second factor, or through a provider that enforces one. */
  async hasSecondFactor(userId: string): Promise<boolean> {
    return (await this.database.run(prepared(SECOND_FACTOR, [userId]))).length > 0;
  }

  private async memberships(caller: Principal): Promise<Memberships> {
    if (!caller.isMember) return [];
    const { id } = caller.subject;
    return (
      this.cache.memberships(id) ??
      this.cache.loadMemberships(id, async () => {
        const [row] = await this.database.read(prepared(MEMBERSHIPS, [id]));
        return parseMemberships(row![0]!);
      })
    );
  }

  private async read(user: string | null, ids: PathIds): Promise<AccessContext> {
    const [row] = await this.database.read(prepared(ACCESS_CONTEXT, [user, ...accessContextParameters(ids)]));
    return parseAccessContext(row?.[0], row?.[1]);
  }
}
