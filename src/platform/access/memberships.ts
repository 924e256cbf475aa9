import type { Role } from '../operations/operation.js';
import type { ResourceRole } from './resource-roles.js';

/** A user's membership in one organization. */
export interface Membership {
  orgId: string;
  role: Role;
  applicationRoles: readonly ResourceRole[];
  /** Maximum number of applications that the organization may own; `null` or absent for no limit. */
  applicationLimit?: number | null;
  /** The organization is read-only or disabled: all members have read access at most. */
  frozen?: boolean;
  /** The organization requires a second factor that the user has not enabled. */
  locked?: boolean;
}

/** Maximum number of memberships that are read together. For users with more, they are only read one by one. */
export const MAX_CACHED_MEMBERSHIPS = 100;

/** Maximum number of instances per user; all of them are read with the principal. */
export const MAX_INSTANCES = 1000;

/** SQL expression over an organization's row: whether it is read-only or disabled. */
export const frozenSql = (org: string): string =>
  `(${org}.is_read_only OR coalesce(${org}.disabled_at <= now(), false))`;

/**
 * SQL condition: a place in `mode` requires a second factor that a user with that role does not have. `user` is the SQL
 * of the user's ID; no table in it may have the alias `asked`.
 */
export const lockedSql = (mode: string, role: string, user: string): string =>
  `((${mode} = 'required' OR ${mode} = 'adminRequired' AND ${role} = 'admin') IS TRUE
    AND coalesce((SELECT asked.two_factor_key IS NULL AND NOT asked.sso_linked FROM users asked WHERE asked.id = ${user}), true))`;

export const applicationLimitSql = (owner: string): string => `(${owner}.limits->>'application')::float8`;

/** The memberships `m` in organizations `o` that are not deleted. */
export const MEMBERS = 'org_members m JOIN orgs o ON o.id = m.org_id AND o.deleted_at IS NULL';
const membershipOf = (user: string): string =>
  `json_build_object('orgId', m.org_id, 'role', m.role, 'applicationRoles', m.application_roles,
    'applicationLimit', ${applicationLimitSql('o')}, 'frozen', ${frozenSql('o')}, 'locked', ${lockedSql('o.mfa_mode', 'm.role', user)})`;

/**
 * Returns SQL for the membership of a user in an organization as JSON. Both arguments are SQL and may evaluate to null.
 */
export const membershipSql = (user: string, org: string): string =>
  `(SELECT ${membershipOf(user)} FROM ${MEMBERS} WHERE m.user_id = ${user} AND m.org_id = ${org})`;

/** Returns SQL for the memberships of a user as a JSON array, limited to `MAX_CACHED_MEMBERSHIPS` + 1. */
export const membershipsSql = (user: string): string =>
  `(SELECT coalesce(json_agg(few.membership), '[]') FROM (SELECT ${membershipOf(user)} AS membership FROM ${MEMBERS}
    WHERE m.user_id = ${user} LIMIT ${MAX_CACHED_MEMBERSHIPS + 1}) few)`;

/** Parses the result of `membershipSql`. */
export const parseMembership = (json: string | null | undefined): Membership | undefined =>
  json ? (JSON.parse(json) as Membership) : undefined;

/** All memberships of a user, or `many` if there are more than `MAX_CACHED_MEMBERSHIPS`. */
export type Memberships = readonly Membership[] | 'many';

/** Parses the result of `membershipsSql`. */
export function parseMemberships(json: string): Memberships {
  const memberships = JSON.parse(json) as Membership[];
  return memberships.length > MAX_CACHED_MEMBERSHIPS ? 'many' : memberships;
}
