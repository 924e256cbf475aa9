import type { Role } from '../../../src/platform/operations/operation.js';
import { ruleOf, type Place } from './rules.js';

/** A call: an operation, described by public facts only. */
export interface Asked {
  id: string;
  method: string;
  /** With `{names}`. */
  path: string;
  /** The scopes that it accepts. */
  scopes: readonly string[];
}

/** The properties of a caller that decide their rights. */
export interface Standing {
  /** Why the token is no token: the message of 401. */
  refused?: string;
  /** Whom it speaks for. */
  subject: 'user' | 'application' | 'instance' | 'device';
  /** Whether it is the token of a sign-in, not an API token. */
  inPerson: boolean;
  /** Whether its roles are capped in single organizations. */
  cappedInPlaces?: boolean;
  /** The role left by the cap for a place that it does not name. Absent if there is no such cap. */
  capAnew?: Role;
  scopes: readonly string[];
  /** The role on the place in the path, or in the own sandbox for new resources. */
  roles: Readonly<Record<Place, Role>>;
  /** The place is read-only: it can be viewed as before. */
  frozen?: readonly Place[];
  /** The application is in a sandbox. */
  inSandbox?: boolean;
  /** Of the devices of the application it reaches itself alone. */
  reachesItself?: boolean;
  /** Message of the 403 for members without a second factor, if one is required. */
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
 * Expected result of a call by the rules alone: the token, then its scopes, then the role on the place in the path.
 * Invisible places return 404. Visible places with too small a role return 403.
 */
export function outcomeOf(asked: Asked, caller: Standing): Outcome {
  if (caller.refused !== undefined) return { status: 401, message: caller.refused };
  if (!asked.scopes.some((scope) => caller.scopes.includes(scope))) return forbidden(FORBIDDEN);
  const rule = ruleOf(asked);
  const isOwn = rule.place === undefined || rule.place === 'sandbox';
  if (isOwn && caller.subject !== 'user' && !rule.anyone) return forbidden('Only users may do this');
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
  const isOther = caller.reachesItself || (rule.ofItself && caller.subject === 'device');
  if (isOther && asked.path.includes('{deviceId}')) return { status: 404, message: 'Device was not found' };
  if (rule.forOrganizations && caller.inSandbox) return { status: 400, message: rule.forOrganizations };
  return rule.uncapped && caller.cappedInPlaces ? forbidden(rule.uncapped) : 'allowed';
}

const forbidden = (message: string): Outcome => ({ status: 403, message });
const missing = (place: Place): Outcome => ({ status: 404, message: `${TITLES[place]} was not found` });
