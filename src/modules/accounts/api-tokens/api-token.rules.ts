import { atLeast, type Principal } from '../../../platform/access/principal.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { ResourceRole } from '../../../platform/access/resource-roles.js';
import type { ScopeGrants } from '../../../platform/access/scopes.js';
import { Forbidden, ValidationError } from '../../../lib/errors/errors.js';
import type { Role } from '../../../platform/operations/operation.js';
import type { ApiToken, OrgRole } from './api-token.resource.js';

/** Owner of the tokens that a request addresses. */
export type TokenOwner =
  | { type: 'user'; id: string }
  | { type: 'application'; id: string; application: ApplicationAccess }
  | { type: 'instance'; id: string };

type Roles = Pick<ApiToken, 'defaultRole' | 'orgRoles'>;

const FAMILIES = { application: 'Application', instance: 'Instance' } as const;

/**
 * Returns the scopes of a new token: the requested ones, or all of its family. Throws 403 if the scopes of the creator
 * do not cover them. Scopes that such a token can never use are accepted: its reach is limited by its subject.
 */
export function scopesOfNew(
  grants: ScopeGrants,
  caller: Principal,
  type: TokenOwner['type'],
  asked: readonly string[] | undefined,
): readonly string[] {
  const scopes = asked ?? (type === 'user' ? [...caller.scopes] : [`all.${FAMILIES[type]}`]);
  const wider = scopes.find((scope) => !grants.covers(caller.scopes, scope));
  if (wider) throw new Forbidden(`This token cannot grant ${wider}: its own scopes do not cover it`);
  return scopes;
}

/** Returns the role cap of a new token: the requested roles, but never above those of the creator. */
export function rolesOfNew(caller: Principal, owner: TokenOwner, asked: Roles): Roles {
  const given = rolesOfChange(caller, owner, asked);
  if (owner.type === 'user') return (caller.cap as Roles | undefined) ?? given;
  const own = roleAt(caller, owner);
  return { defaultRole: given.defaultRole ?? (own === 'admin' ? undefined : own) };
}

/** Returns the roles set by an update, in their stored form. Throws 403 if the caller cannot grant them. */
export function rolesOfChange(caller: Principal, owner: TokenOwner, { defaultRole, orgRoles }: Roles): Roles {
  if (owner.type === 'user') {
    // Caps cannot be compared reliably, so a capped token cannot set any.
    if (caller.cap && (defaultRole ?? orgRoles))
      throw new Forbidden('A token with capped roles cannot grant roles');
    return { defaultRole, orgRoles: canonicalizeIds(orgRoles) };
  }
  if (orgRoles) throw new ValidationError('apiToken.orgRoles is supported only for tokens of users');
  // The instance's token would have access in organizations in which the creating token is capped.
  if (owner.type === 'instance' && caller.cap?.orgRoles.length)
    throw new Forbidden(
      'A token with roles capped in single organizations cannot create or change tokens of an instance',
    );
  if (defaultRole && !atLeast(roleAt(caller, owner), defaultRole))
    throw new Forbidden(`You cannot give the role ${defaultRole}: it is above your own`);
  return { defaultRole };
}

/**
 * Throws 403 if the caller has less access than the token that they reactivate or whose roles they change. A user's
 * token with capped roles can do this only to itself.
 */
export function assertCovers(
  grants: ScopeGrants,
  caller: Principal,
  owner: TokenOwner,
  target: ApiToken,
  { defaultRole = target.defaultRole ?? 'admin' }: Pick<ApiToken, 'defaultRole'>,
): void {
  const wider = target.scope.find((scope) => !grants.covers(caller.scopes, scope));
  if (wider)
    throw new Forbidden(`The token has ${wider}, which the scopes of the calling token do not cover`);
  const above =
    owner.type === 'user'
      ? caller.cap !== undefined && target.id !== caller.token?.id
      : !atLeast(roleAt(caller, owner), defaultRole);
  if (above) throw new Forbidden('The role of the token is above your own');
}

/**
 * Returns the expiration of a new token: the requested one, even if in the past, but at most that of the API token that
 * creates it.
 */
export function expiryOfNew(caller: Principal, asked: Date | undefined): Date | undefined {
  const wanted = asked === undefined ? undefined : new Date(asked);
  if (!caller.token || caller.expiresAt === undefined) return wanted;
  const end = new Date(caller.expiresAt * 1000);
  if (wanted && wanted > end)
    throw new ValidationError('apiToken.expirationDate must not be after that of the calling token');
  return wanted ?? end;
}

function roleAt(caller: Principal, owner: Exclude<TokenOwner, { type: 'user' }>): Role {
  return owner.type === 'application' ? owner.application.role : caller.roleInInstance(owner.id);
}

/** Converts IDs to lower case: caps are looked up by canonical IDs, so an upper-case ID would not take effect. */
function canonicalizeIds(orgRoles: readonly OrgRole[] | undefined): OrgRole[] | undefined {
  const canonical = (roles?: readonly ResourceRole[]) =>
    roles?.map((role) => ({ ...role, resourceId: role.resourceId.toLowerCase() }));
  return orgRoles?.map(({ orgId, role, applicationRoles, dashboardRoles }) => ({
    orgId: orgId.toLowerCase(),
    role,
    applicationRoles: canonical(applicationRoles),
    dashboardRoles: canonical(dashboardRoles),
  }));
}
