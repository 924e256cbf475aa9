import { ROLES, type Role } from '../operations/operation.js';
import { frozenSql, lockedSql, MEMBERS } from './memberships.js';
import { atLeast, type CapExceptions, type Principal, type AccessibleApplications } from './principal.js';
import type { OwnedApplication } from './principal-data.js';

/**
 * SQL conditions for the resources that a caller can access. Their parameters are appended to `values`. If memberships
 * have been read, a condition lists owners and applications. Otherwise it queries memberships in the database, with the
 * same rules as `Principal`; a test suite compares the two.
 */

/**
 * Returns the condition that the caller's role on the application `t` is at least `wanted`, for lists. `reach` is the
 * result of `Permissions` for that role.
 */
export function applicationsReach(
  caller: Principal,
  wanted: Role,
  reach: AccessibleApplications | 'many',
  values: unknown[],
): string {
  if (reach !== 'many') return isWithin(reach, values);
  // The possible owners are a separate condition, so that the planner can use the index on the owner.
  const user = `$${values.push(caller.subject.id)}`;
  return `t.owner_id = ANY(ARRAY(SELECT ${user}::text UNION ALL ${organizationsOf(user)})) AND ${applicationReach(caller, wanted, values)}`;
}

/** Like `applicationsReach`, for a statement about one application or a few. */
export function applicationReach(caller: Principal, wanted: Role, values: unknown[]): string {
  if (!caller.isMember) return isWithin(caller.reach(wanted, []), values);
  const user = `$${values.push(caller.subject.id)}`;
  const roles = `$${values.push(rolesAtLeast(wanted))}::text[]`;
  const granted = `CASE WHEN m.application_roles <> '[]' THEN
    jsonb_path_query_first(m.application_roles, '$[*] ? (@.resourceId == $id)', jsonb_build_object('id', t.id))->>'role' END`;
  const member = `EXISTS (SELECT FROM ${MEMBERS} WHERE m.org_id = t.owner_id AND m.user_id = ${user}
    AND NOT ${lockedSql('o.mfa_mode', 'm.role', user)}${isNotFrozen(wanted, 'o')} AND coalesce(${granted}, m.role::text) = ANY(${roles}))`;
  return `((t.owner_id = ${user} OR ${member}) AND ${isUncapped(caller.capFor(wanted), 't.owner_id', values)})`;
}

/**
 * Returns the condition that the caller's role in the organization `t` is at least `wanted`, for a statement about one
 * organization or a few.
 */
export function organizationReach(caller: Principal, wanted: Role, values: unknown[]): string {
  if (!caller.isMember) return 'FALSE';
  const user = `$${values.push(caller.subject.id)}`;
  const roles = `$${values.push(rolesAtLeast(wanted))}::text[]`;
  const { byDefault, owners } = caller.capFor(wanted);
  return `(t.deleted_at IS NULL AND EXISTS (SELECT FROM org_members m WHERE m.org_id = t.id AND m.user_id = ${user}
    AND NOT ${lockedSql('t.mfa_mode', 'm.role', user)}${isNotFrozen(wanted, 't')} AND m.role::text = ANY(${roles}))
    AND ${isUncapped({ byDefault, owners, applications: [] }, 't.id', values)})`;
}

/** Like `organizationReach`, for lists. */
export function organizationsReach(caller: Principal, wanted: Role, values: unknown[]): string {
  if (!caller.isMember) return 'FALSE';
  const user = `$${values.push(caller.subject.id)}`;
  return `t.id = ANY(ARRAY(${organizationsOf(user)})) AND ${organizationReach(caller, wanted, values)}`;
}

const organizationsOf = (user: string): string =>
  `SELECT m.org_id FROM org_members m WHERE m.user_id = ${user}`;

const rolesAtLeast = (wanted: Role): Role[] => ROLES.filter((role) => atLeast(role, wanted));

/** Members of a frozen organization have at most the role `view`. */
const isNotFrozen = (wanted: Role, org: string): string =>
  atLeast('view', wanted) ? '' : ` AND NOT ${frozenSql(org)}`;

/** Returns the condition that a token's cap permits the role; `owner` is the column of `t` that holds the owner. */
function isUncapped(
  { byDefault, owners, applications }: CapExceptions,
  owner: string,
  values: unknown[],
): string {
  const whole = owners.length
    ? `((${owner} = ANY($${values.push(owners)}::text[])) <> ${byDefault})`
    : `${byDefault}`;
  return applications.length ? `(${whole} <> ${isAmong(applications, values)})` : whole;
}

/**
 * Returns the condition for the listed resources. A single owner is compared with `=`, which lets the planner read one
 * index in order.
 */
function isWithin({ owners, except, additional }: AccessibleApplications, values: unknown[]): string {
  const [only, ...more] = owners;
  if (only === undefined) return additional.length ? isAmong(additional, values) : 'FALSE';
  const owned = more.length
    ? `t.owner_id = ANY($${values.push(owners)}::text[])`
    : `t.owner_id = $${values.push(only)}`;
  const kept = except.length ? `(${owned} AND NOT ${isAmong(except, values)})` : owned;
  return additional.length ? `(${kept} OR ${isAmong(additional, values)})` : kept;
}

/** Matches by ID and owner. An ID alone grants no access, because a token's cap may contain arbitrary IDs. */
function isAmong(applications: readonly OwnedApplication[], values: unknown[]): string {
  const owners = values.push(applications.map(({ ownerId }) => ownerId));
  const ids = values.push(applications.map(({ id }) => id));
  return `((t.owner_id, t.id) IN (SELECT * FROM unnest($${owners}::text[], $${ids}::text[])))`;
}
