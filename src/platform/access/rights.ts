import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { prepared } from '../database/statements.js';
import type { Role } from '../operations/operation.js';
import { AccessCache } from './access-cache.js';
import { membershipsSql, parseMemberships, type Membership, type Memberships } from './memberships.js';
import { placeId, type PathIds } from './places.js';
import type { Principal, Reach } from './principal.js';
import type { ApplicationAccess } from './request.js';
import { organizationId, parseStanding, standingParameters, standingSql, type Standing } from './standing.js';

const STANDING = `SELECT ${standingSql('$1', 2)}`;
const SECOND_FACTOR =
  'SELECT FROM users u WHERE u.id = $1 AND (u.two_factor_key IS NOT NULL OR u.sso_linked)';
const MEMBERSHIPS = `SELECT ${membershipsSql('$1')}`;

type Owned = Omit<ApplicationAccess, 'role'>;

/**
 * What callers may do in places: their memberships, found where they are needed and kept for a few seconds. Nobody's
 * memberships are ever all read unless they are few.
 */
@Injectable()
export class Rights {
  constructor(
    private readonly database: Database,
    private readonly cache: AccessCache,
  ) {}

  /** The caller's standing in the place that a path names, where nothing has to be read for it. */
  known(caller: Principal, ids: PathIds): Standing | undefined {
    const id = placeId(ids);
    const place = id === undefined ? undefined : this.cache.place(id);
    if (id !== undefined && !place) return undefined;
    const orgId = organizationId(ids, place);
    if (orgId === undefined || !caller.mayBelongTo(orgId)) return { place };
    const membership = this.cache.membership(caller.subject.id, orgId);
    return membership === undefined ? undefined : { place, membership: membership ?? undefined };
  }

  /** The caller's standing in the place that a path names, read in one statement. */
  async find(caller: Principal, ids: PathIds): Promise<Standing> {
    const user = caller.isMember ? caller.subject.id : null;
    const reading = this.read(user, ids);
    const [place, membership] = await Promise.all([
      this.cache.loadPlace(async () => (await reading).place),
      this.cache.loadMembership(caller.subject.id, async () => (await reading).membership),
    ]);
    return { place, membership };
  }

  /** The caller's membership in an organization; nothing where they are no member. */
  async membership(caller: Principal, orgId: string): Promise<Membership | undefined> {
    const { membership } = this.known(caller, { orgId }) ?? (await this.find(caller, { orgId }));
    return membership;
  }

  /**
   * What the caller reaches with the role `wanted` or more, of one owner alone where one is given; `many` where it takes too
   * many memberships to say.
   */
  async reach(caller: Principal, wanted: Role, ownerId?: string): Promise<Reach | 'many'> {
    const memberships =
      ownerId === undefined
        ? await this.memberships(caller)
        : [await this.membership(caller, ownerId)].filter((found) => found !== undefined);
    return memberships === 'many' ? 'many' : caller.reach(wanted, memberships, ownerId);
  }

  /** As `Principal.demandOn`, with the membership that it needs. */
  async demandOn(caller: Principal, application: Owned, wanted: Role): Promise<void> {
    const { ownerId, ownerType } = application;
    const membership = ownerType === 'organization' ? await this.membership(caller, ownerId) : undefined;
    caller.demandOn(application, wanted, membership);
  }

  /** As `Principal.demandInOrganization`, with the membership that it needs, which is returned. */
  async demandInOrganization(
    caller: Principal,
    orgId: string,
    wanted: Role,
  ): Promise<Membership | undefined> {
    const membership = await this.membership(caller, orgId);
    caller.demandInOrganization(orgId, wanted, membership);
    return membership;
  }

  /** Whether a user signs in with a second factor, or through a provider that sees to it. */
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

  private async read(user: string | null, ids: PathIds): Promise<Standing> {
    const [row] = await this.database.read(prepared(STANDING, [user, ...standingParameters(ids)]));
    return parseStanding(row?.[0], row?.[1]);
  }
}
