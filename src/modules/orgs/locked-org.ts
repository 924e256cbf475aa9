import { IsNull, type EntityManager } from 'typeorm';
import type { Entry } from '../../platform/audit/audit.js';
import { countSql } from '../../platform/counts/counts.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import { User } from '../users/user.entity.js';
import { expiredSql } from './org-invite.resource.js';
import { Org } from './org.resource.js';

/** SQL over `t`, an organization: its members, and the invitations that can still be accepted. */
export const MEMBER_COUNT = countSql('t.id', `'memberCount'`);
export const OPEN_INVITE_COUNT = `(SELECT count(*) FROM org_invites i
  WHERE i.org_id = t.id AND NOT ${expiredSql('i')})`;
/** What the limit of members counts: an invitation holds a place for whom it is for. */
export const PLACES_TAKEN = `${MEMBER_COUNT} + ${OPEN_INVITE_COUNT}`;

/**
 * The organization, locked until the transaction ends, or 404. Whatever changes members or invitations takes this lock
 * first, so that no rule about them is broken by two that come at once.
 */
export async function lockOrg(manager: EntityManager, orgId: string, title = 'Organization'): Promise<Org> {
  const org = await manager.findOne(Org, {
    where: { id: orgId, deletedAt: IsNull() },
    lock: { mode: 'for_no_key_update' },
  });
  if (!org) throw new NotFound(title);
  return org;
}

/** Whether nobody may do more in it than look. */
export function isFrozen({ isReadOnly, disabledAt }: Org): boolean {
  return isReadOnly || (disabledAt instanceof Date && disabledAt.getTime() <= Date.now());
}

/** Throws 400 where the organization takes members of other domains only; `field` is what held the address. */
export function demandDomain({ whitelistedEmailDomains }: Org, email: string, field: string): void {
  if (!whitelistedEmailDomains?.length) return;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (!whitelistedEmailDomains.some((allowed) => allowed.toLowerCase() === domain))
    throw new ValidationError(`${field} is not of a domain that the organization allows`);
}

/** The user of an instance whose verified address it is: an unverified one may belong to somebody else. */
export function userOf(manager: EntityManager, { instanceId }: Org, email: string): Promise<User | null> {
  return manager.findOneBy(User, {
    email: email.toLowerCase(),
    emailVerified: true,
    instanceId,
    permanentDeletion: IsNull(),
  });
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
