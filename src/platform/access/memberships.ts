import type { Role } from '../operations/operation.js';
import type { ResourceRole } from './resource-roles.js';

/** A user's place in one organization. */
export interface Membership {
  orgId: string;
  role: Role;
  applicationRoles: readonly ResourceRole[];
  /** How many applications it may own, where that is limited. */
  applicationLimit?: number | null;
  /** The organization is read-only or disabled: nobody may do more than look. */
  frozen?: boolean;
  /** The organization asks for a second factor that the user has not turned on. */
  locked?: boolean;
}

/** Of a user in more organizations than this, memberships are only read one by one. */
export const FEW = 100;

/** In more instances than this nobody is a member: all are read with whoever asks. */
export const MOST_INSTANCES = 1000;

/** Whether an organization is read-only or disabled; SQL over its row. */
export const frozenSql = (org: string): string =>
  `(${org}.is_read_only OR coalesce(${org}.disabled_at <= now(), false))`;

/** Whether a place in `mode` asks a user in that role for a second factor that they do not have; `user` is SQL of their id, of which no table may be called `asked`. */
export const lockedSql = (mode: string, role: string, user: string): string =>
  `((${mode} = 'required' OR ${mode} = 'adminRequired' AND ${role} = 'admin') IS TRUE
    AND coalesce((SELECT asked.two_factor_key IS NULL AND NOT asked.sso_linked FROM users asked WHERE asked.id = ${user}), true))`;

export const applicationLimitSql = (owner: string): string => `(${owner}.limits->>'application')::float8`;

/** The memberships `m` in organizations `o` that are there. */
export const MEMBERS = 'org_members m JOIN orgs o ON o.id = m.org_id AND o.deleted_at IS NULL';
const membershipOf = (user: string): string =>
  `json_build_object('orgId', m.org_id, 'role', m.role, 'applicationRoles', m.application_roles,
    'applicationLimit', ${applicationLimitSql('o')}, 'frozen', ${frozenSql('o')}, 'locked', ${lockedSql('o.mfa_mode', 'm.role', user)})`;

/** The membership of a user in an organization as JSON; both are SQL, and either may be null. */
export const membershipSql = (user: string, org: string): string =>
  `(SELECT ${membershipOf(user)} FROM ${MEMBERS} WHERE m.user_id = ${user} AND m.org_id = ${org})`;

/** All memberships of a user as JSON, or one more than `FEW` of them. */
export const membershipsSql = (user: string): string =>
  `(SELECT coalesce(json_agg(few.membership), '[]') FROM (SELECT ${membershipOf(user)} AS membership FROM ${MEMBERS}
    WHERE m.user_id = ${user} LIMIT ${FEW + 1}) few)`;

/** Reads what `membershipSql` returned. */
export const parseMembership = (json: string | null | undefined): Membership | undefined =>
  json ? (JSON.parse(json) as Membership) : undefined;

/** All memberships of a user, as far as they were read: `many` where they are more than `FEW`. */
export type Memberships = readonly Membership[] | 'many';

/** Reads what `membershipsSql` returned. */
export function parseMemberships(json: string): Memberships {
  const memberships = JSON.parse(json) as Membership[];
  return memberships.length > FEW ? 'many' : memberships;
}
