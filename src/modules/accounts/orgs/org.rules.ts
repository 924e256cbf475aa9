import type { ResourceRole } from '../../../platform/access/resource-roles.js';
import type { Entry } from '../../../platform/audit/audit.js';
import { canonicalDomain, domainOf } from '../../../lib/mail/addresses.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { Org } from './org.resource.js';

/** Whether nobody may do more in it than look. */
export function isFrozen({ isReadOnly, disabledAt }: Org): boolean {
  return isReadOnly || (disabledAt instanceof Date && disabledAt.getTime() <= Date.now());
}

/** Throws 400 where the organization takes members of other domains only; `field` is what held the address. */
export function demandDomain({ whitelistedEmailDomains }: Org, email: string, field: string): void {
  if (!whitelistedEmailDomains?.length) return;
  const domain = domainOf(email);
  if (!whitelistedEmailDomains.some((allowed) => canonicalDomain(allowed) === domain))
    throw new ValidationError(`${field} is not of a domain that the organization allows`);
}

/**
 * The entry about something done to members or invitations of an organization: in its own log and, where it was done
 * through its instance, in the instance's too. `about` is the id of what was made, changed or removed.
 */
export function orgEntry(
  { id, name }: Org,
  about: string,
  { instanceId, invite }: { instanceId?: string; invite?: { id: string; email: string } },
): Entry {
  const target = invite && { type: 'OrgInvite', id: invite.id, name: invite.email };
  return {
    organization: { id, primary: target },
    ...(instanceId === undefined
      ? {}
      : {
          instance: { id: instanceId, primary: { type: 'Organization', id, name }, secondary: target },
        }),
    response: { id: about },
  };
}

/** Ids may be written in upper case; a role that was looked up by them as written would not hold. */
export function canonicalRoles(roles: readonly ResourceRole[] = []): ResourceRole[] {
  return roles.map(({ resourceId, role }) => ({ resourceId: resourceId.toLowerCase(), role }));
}
