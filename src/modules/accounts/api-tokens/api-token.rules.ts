import { atLeast, type Principal } from '../../../platform/access/principal.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { ResourceRole } from '../../../platform/access/resource-roles.js';
import { coversScope } from '../../../platform/access/scopes.js';
import { Forbidden, ValidationError } from '../../../lib/errors/errors.js';
import type { Role } from '../../../platform/operations/operation.js';
import type { ApiToken, OrgRole } from './api-token.resource.js';

/** Whose tokens a request is about. */
export type TokenOwner =
  | { type: 'user'; id: string }
  | { type: 'application'; id: string; application: ApplicationAccess }
  | { type: 'instance'; id: string };

type Roles = Pick<ApiToken, 'defaultRole' | 'orgRoles'>;

const FAMILIES = { application: 'Application', instance: 'Instance' } as const;

/**
 * The scopes of a new token: as asked for, or all of its family; 403 for what the maker's own do not cover. One that reaches
 * nothing in such a token is taken all the same: what keeps it in its place is whom it speaks for.
 */
export function scopesOfNew(
  caller: Principal,
  type: TokenOwner['type'],
  asked: readonly string[] | undefined,
): readonly string[] {
  const scopes = asked ?? (type === 'user' ? [...caller.scopes] : [`all.${FAMILIES[type]}`]);
  const wider = scopes.find((scope) => !coversScope(caller.scopes, scope));
  if (wider) throw new Forbidden(`This token may not give ${wider}: its own scopes do not cover it`);
  return scopes;
}

/** The roles that a new token is capped to: as asked for, but never above those of its maker. */
export function rolesOfNew(caller: Principal, owner: TokenOwner, asked: Roles): Roles {
  const given = rolesOfChange(caller, owner, asked);
  if (owner.type === 'user') return (caller.cap as Roles | undefined) ?? given;
  const own = roleAt(caller, owner);
  return { defaultRole: given.defaultRole ?? (own === 'admin' ? undefined : own) };
}

/** The roles that a change gives, in the form that is stored; 403 where the caller may not give them. */
export function rolesOfChange(caller: Principal, owner: TokenOwner, { defaultRole, orgRoles }: Roles): Roles {
  if (owner.type === 'user') {
    // Whether one cap is within another is nothing to be guessed at.
    if (caller.cap && (defaultRole ?? orgRoles))
      throw new Forbidden('A token with capped roles cannot give roles');
    return { defaultRole, orgRoles: withCanonicalIds(orgRoles) };
  }
  if (orgRoles) throw new ValidationError('apiToken.orgRoles is for tokens of users only');
  // What such a token may not do in one organization, a token of the instance would do for it.
  if (owner.type === 'instance' && caller.cap?.orgRoles.length)
    throw new Forbidden(
      'A token with roles capped in single organizations cannot make or change tokens of an instance',
    );
  if (defaultRole && !atLeast(roleAt(caller, owner), defaultRole))
    throw new Forbidden(`You cannot give the role ${defaultRole}: it is above your own`);
  return { defaultRole };
}

/**
 * Throws 403 where the caller holds less than the token that they let work again, or give other roles. A token of a user
 * with capped roles does so to no other.
 */
export function demandCovers(
  caller: Principal,
  owner: TokenOwner,
  target: ApiToken,
  { defaultRole = target.defaultRole ?? 'admin' }: Pick<ApiToken, 'defaultRole'>,
): void {
  const wider = target.scope.find((scope) => !coversScope(caller.scopes, scope));
  if (wider) throw new Forbidden(`The token has ${wider}, which the scopes of this one do not cover`);
  const above =
    owner.type === 'user'
      ? caller.cap !== undefined && target.id !== caller.token?.id
      : !atLeast(roleAt(caller, owner), defaultRole);
  if (above) throw new Forbidden('The role of the token is above your own');
}

/** When the new token ends: as asked, be it in the past, but not after the API token that makes it. */
export function expiryOfNew(caller: Principal, asked: Date | undefined): Date | undefined {
  const wanted = asked === undefined ? undefined : new Date(asked);
  if (!caller.token || caller.expiresAt === undefined) return wanted;
  const end = new Date(caller.expiresAt * 1000);
  if (wanted && wanted > end)
    throw new ValidationError('apiToken.expirationDate must not be after that of the token that asks');
  return wanted ?? end;
}

function roleAt(caller: Principal, owner: Exclude<TokenOwner, { type: 'user' }>): Role {
  return owner.type === 'application' ? owner.application.role : caller.roleInInstance(owner.id);
}

/** Ids may be written in upper case; a cap that was looked up by them as written would not hold. */
function withCanonicalIds(orgRoles: readonly OrgRole[] | undefined): OrgRole[] | undefined {
  const canonical = (roles?: readonly ResourceRole[]) =>
    roles?.map((role) => ({ ...role, resourceId: role.resourceId.toLowerCase() }));
  return orgRoles?.map(({ orgId, role, applicationRoles, dashboardRoles }) => ({
    orgId: orgId.toLowerCase(),
    role,
    applicationRoles: canonical(applicationRoles),
    dashboardRoles: canonical(dashboardRoles),
  }));
}
