import type { ResourceRole } from '../../../platform/access/resource-roles.js';
import type { Entry } from '../../../platform/audit/audit.js';
import { canonicalDomain, domainOf } from '../../../lib/mail/addresses.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { Org } from './org.resource.js';

/** Whether the organization is read-only or disabled. */
export function isFrozen({ isReadOnly, disabledAt }: Org): boolean {
  return isReadOnly || (disabledAt instanceof Date && disabledAt.getTime() <= Date.now());
}

/**
 * Throws 400 if the organization does not allow the domain of the address. `field` is the property with the address.
 */
export function assertAllowedDomain({ whitelistedEmailDomains }: Org, email: string, field: string): void {
  if (!whitelistedEmailDomains?.length) return;
  const domain = domainOf(email);
  if (!whitelistedEmailDomains.some((allowed) => canonicalDomain(allowed) === domain))
    throw new ValidationError(`${field} is not in a domain that the organization allows`);
}

/**
 * Returns the audit log entry for a change to members or invitations of an organization. It is written to the
 * organization's log and, for operations through the instance, also to that of the instance. `about` is the ID of the
 * changed resource.
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

/** Converts IDs to lower case: roles are looked up by canonical IDs, so an upper-case ID would not take effect. */
export function canonicalRoles(roles: readonly ResourceRole[] = []): ResourceRole[] {
  return roles.map(({ resourceId, role }) => ({ resourceId: resourceId.toLowerCase(), role }));
}
