import type { Role } from '../../../src/platform/operations/operation.js';
import { ruleOf, type Place } from './rules.js';

/** An operation, described by its public properties. */
export interface ExpectedRequest {
  id: string;
  method: string;
  /** Path with `{names}`. */
  path: string;
  /** Scopes that it accepts. */
  scopes: readonly string[];
}

/** Properties of a caller that determine its permissions. */
export interface Standing {
  /** Message of the `401` if the token is not valid. */
  refused?: string;
  /** Type of the token's owner. */
  subject: 'user' | 'application' | 'instance' | 'device';
  /** Whether the token is a session token and not an API token. */
  inPerson: boolean;
  /** Whether its roles are capped in single organizations. */
  cappedInPlaces?: boolean;
  /** Default cap for places without their own cap; unset if there is no default cap. */
  capAnew?: Role;
  scopes: readonly string[];
  /** Role on the place in the path; for new resources without an organization, in the caller's own sandbox. */
  roles: Readonly<Record<Place, Role>>;
  /** Places that are read-only, with unchanged reads. */
  frozen?: readonly Place[];
  /** Whether the application is in a sandbox. */
  inSandbox?: boolean;
  /** Whether it can only access itself among the devices of the application. */
  reachesItself?: boolean;
  /** Whether it is the gateway of the device in the path. */
  isGateway?: boolean;
  /** Messages of the `403` in places that require a second factor, if the user has none. */
  locked?: Partial<Record<Place, string>>;
}

export type Outcome = { status: 400 | 401 | 403 | 404; message: string } | 'allowed';

const RANKS: readonly Role[] = ['none', 'view', 'collaborate', 'edit', 'admin'];
const TITLES: Record<Place, string> = {
  application: 'Application',
  organization: 'Organization',
  instance: 'Instance',
  instanceOrganization: 'Organization',
  sandbox: 'Application',
};
const FORBIDDEN = 'Access is forbidden';

/**
 * Returns the expected outcome from the rules alone: the token, its scopes, then the role on the place in the path.
 * Invisible resources result in `404`, visible ones without permission in `403`.
 */
export function outcomeOf(asked: ExpectedRequest, caller: Standing): Outcome {
  if (caller.refused !== undefined) return { status: 401, message: caller.refused };
  if (!asked.scopes.some((scope) => caller.scopes.includes(scope)))
    return forbidden(
      `${FORBIDDEN}: the token needs one of the scopes ${[...asked.scopes].sort().join(', ')}`,
    );
  const rule = ruleOf(asked);
  const isOwn = rule.place === undefined || rule.place === 'sandbox';
  if (isOwn && caller.subject !== 'user' && !rule.anyone) return forbidden('Only users can do this');
  if (rule.inPerson && !caller.inPerson) return forbidden(rule.inPerson);
  if (rule.uncappedAnew && caller.capAnew && caller.capAnew !== 'admin') return forbidden(rule.uncappedAnew);
  if (rule.place === undefined) return 'allowed';
  const locked = caller.locked?.[rule.place];
  if (locked) return forbidden(locked);
  if (rule.place === 'instanceOrganization' && caller.roles.instance === 'none') return missing('instance');
  const held = caller.roles[rule.place];
  const isFrozen = !rule.reads && caller.frozen?.includes(rule.place);
  const role = isFrozen && held !== 'none' ? 'view' : held;
  if (role === 'none') return rule.unseen ? { status: 400, message: rule.unseen } : missing(rule.place);
  if (RANKS.indexOf(role) < RANKS.indexOf(rule.role)) return forbidden(FORBIDDEN);
  if (rule.beside) {
    const there = caller.roles[caller.inSandbox ? 'sandbox' : 'organization'];
    if (there === 'none') return missing('organization');
    if (RANKS.indexOf(there) < RANKS.indexOf(rule.beside)) return forbidden(FORBIDDEN);
  }
  const isOutOfReach = caller.reachesItself && !(rule.forPeripherals && caller.isGateway);
  const isOther = isOutOfReach || (rule.ofItself && caller.subject === 'device');
  if (isOther && asked.path.includes('{deviceId}')) return { status: 404, message: 'Device was not found' };
  if (rule.forOrganizations && caller.inSandbox) return { status: 400, message: rule.forOrganizations };
  return rule.uncapped && caller.cappedInPlaces ? forbidden(rule.uncapped) : 'allowed';
}

const forbidden = (message: string): Outcome => ({ status: 403, message });
const missing = (place: Place): Outcome => ({ status: 404, message: `${TITLES[place]} was not found` });
