import type { Role } from '../../../src/platform/operations/operation.js';
import { ruleOf, type Place } from './rules.js';

/** What is asked of a caller: an operation, by what anyone can read of it. */
export interface Asked {
  id: string;
  method: string;
  /** With `{names}`. */
  path: string;
  /** The scopes that it accepts. */
  scopes: readonly string[];
}

/** What a caller is, as far as it decides what they may do. */
export interface Standing {
  /** Why the token is no token: the message of 401. */
  refused?: string;
  /** Whom it speaks for. */
  subject: 'user' | 'application' | 'instance' | 'device';
  /** Whether it is the token of a sign-in, not an API token. */
  inPerson: boolean;
  /** Whether its roles are capped in single organizations. */
  cappedInPlaces?: boolean;
  /** The role that its cap leaves where the cap says nothing of a place; absent where that is all. */
  capAnew?: Role;
  scopes: readonly string[];
  /** The role on the place that a path names; in their own sandbox for what is made there. */
  roles: Readonly<Record<Place, Role>>;
  /** Where nothing may change: it is looked at as before. */
  frozen?: readonly Place[];
  /** The application is in a sandbox. */
  inSandbox?: boolean;
  /** Of the devices of the application it reaches itself alone. */
  reachesItself?: boolean;
  /** What somebody without a second factor is told where one is asked for: the message of 403. */
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
 * What must come of a call, by the rules alone: the token, then its scopes, then the role on the place that the path
 * names. What is out of sight is 404; what is in sight and too much is 403.
 */
export function outcomeOf(asked: Asked, caller: Standing): Outcome {
  if (caller.refused !== undefined) return { status: 401, message: caller.refused };
  if (!asked.scopes.some((scope) => caller.scopes.includes(scope))) return forbidden(FORBIDDEN);
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
  const isOther = caller.reachesItself || (rule.ofItself && caller.subject === 'device');
  if (isOther && asked.path.includes('{deviceId}')) return { status: 404, message: 'Device was not found' };
  if (rule.forOrganizations && caller.inSandbox) return { status: 400, message: rule.forOrganizations };
  return rule.uncapped && caller.cappedInPlaces ? forbidden(rule.uncapped) : 'allowed';
}

const forbidden = (message: string): Outcome => ({ status: 403, message });
const missing = (place: Place): Outcome => ({ status: 404, message: `${TITLES[place]} was not found` });
