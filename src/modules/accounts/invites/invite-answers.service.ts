import { Injectable } from '@nestjs/common';
import { Principal } from '../../../platform/access/principal.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { canonicalAddress } from '../../../lib/mail/addresses.js';
import { sha256 } from '../../../lib/crypto/hashes.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Gone, NotFound, Unauthorized, ValidationError } from '../../../lib/errors/errors.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { SignInThrottle } from '../auth/sign-in-throttle.js';
import { hasExpired, type OrgInvite } from '../orgs/org-invite.resource.js';
import { OrgInvitesRepository } from '../orgs/org-invites.repository.js';
import { OrgMembersService } from '../orgs/org-members.service.js';
import type { Org } from '../orgs/org.resource.js';
import { isFrozen, orgEntry } from '../orgs/org.rules.js';
import { OrgsRepository } from '../orgs/orgs.repository.js';
import type { User } from '../users/user.entity.js';
import { UsersRepository } from '../users/users.repository.js';
import type {
  OrgInviteAction,
  OrgInviteActionUser,
  OrgInviteInfo,
  OrgInviteResult,
  OrgInviteResultUser,
  OrgInviteUser,
} from './invite-answer.resource.js';
import { InviteAnswersRepository } from './invite-answers.repository.js';

/** Invitations to organizations, from the perspective of invited users. */
@Injectable()
export class InviteAnswersService {
  constructor(
    private readonly answers: InviteAnswersRepository,
    private readonly invites: OrgInvitesRepository,
    private readonly orgs: OrgsRepository,
    private readonly users: UsersRepository,
    private readonly database: Database,
    private readonly members: OrgMembersService,
    private readonly throttle: SignInThrottle,
  ) {}

  /** Returns the properties shown to the holder of the e-mail. Wrong tokens count as failed sign-ins from `address`. */
  view(token: string, email: string, address: string): Promise<OrgInviteInfo> {
    return this.throttle.attempt({ address }, async () => {
      const invite = await this.answers.ofMail(isInvited(email), sha256(token));
      assertNotExpired(invite);
      return invite;
    });
  }

  /** Responds on behalf of the holder of the e-mail, and thus of the invited address. */
  answer({ token, email, accept }: OrgInviteAction, address: string, by: Author): Promise<OrgInviteResult> {
    return this.throttle.attempt({ address }, () =>
      this.database.transaction(async (transaction) => {
        const find = () => this.invites.ofMail(isInvited(email), sha256(token), transaction);
        const { invite, org } = await this.hold(find, transaction);
        assertNotExpired(invite);
        const { instanceId } = org;
        // An unverified address may belong to another person.
        const named = { email: invite.email, emailVerified: true, instanceId };
        const user = await this.users.find(named, transaction);
        const signed = by.signedBy(principalOf(user, invite));
        if (!accept) await this.reject(transaction, org, invite, signed);
        else if (user) await this.accept(transaction, org, invite, user, signed);
        else
          throw new ValidationError(
            'invite.email does not belong to an account: accepting requires one with this verified address',
          );
        return { orgId: org.id, accepted: accept };
      }),
    );
  }

  list(userId: string): Promise<OrgInviteUser[]> {
    return this.answers.list(userId);
  }

  get(userId: string, inviteId: string): Promise<StoredResource<OrgInviteUser>> {
    return this.answers.obtain(userId, inviteId);
  }

  /** Responds on behalf of the invited user. An expired invitation can only be dismissed. */
  respond(inviteId: string, { action }: OrgInviteActionUser, by: Author): Promise<OrgInviteResultUser> {
    return this.database.transaction(async (transaction) => {
      const user = await this.users.find({ id: by.caller.userId }, transaction);
      if (!user) throw new Unauthorized();
      const find = () => this.invites.ofInvited(user.email, inviteId, transaction);
      const { invite, org } = await this.hold(find, transaction);
      if (!user.emailVerified || user.instanceId !== org.instanceId) throw new NotFound('Invitation');
      const orgId = org.id;
      by.caller.assertUncapped(orgId);
      if (action === 'dismiss') {
        await this.invites.dismiss(orgId, inviteId, transaction);
        return { orgId, result: 'dismissed' };
      }
      assertNotExpired(invite);
      if (action === 'reject') {
        await this.reject(transaction, org, invite, by);
        return { orgId, result: 'rejected' };
      }
      await this.accept(transaction, org, invite, user, by);
      return { orgId, result: 'accepted' };
    });
  }

  /**
   * Locks the organization and returns the invitation, which is read again under the lock. Throws 404 if it does not
   * exist.
   */
  private async hold(
    find: () => Promise<OrgInvite>,
    transaction: Transaction,
  ): Promise<{ invite: OrgInvite; org: Org }> {
    const { orgId } = await find();
    const org = await this.orgs.lock(orgId, transaction, 'Invitation');
    return { invite: await find(), org };
  }

  private async accept(
    transaction: Transaction,
    org: Org,
    invite: OrgInvite,
    user: User,
    by: Author,
  ): Promise<void> {
    if (isFrozen(org))
      throw new ValidationError('invite cannot be accepted: the organization is read-only or disabled');
    await this.invites.remove(org.id, invite.id, transaction);
    const { role, applicationRoles, dashboardRoles } = invite;
    await this.members.add(transaction, org.id, { userId: user.id, role, applicationRoles, dashboardRoles });
    await writeEntry(transaction.manager, by, orgEntry(org, user.id, { invite }));
  }

  private async reject(transaction: Transaction, org: Org, invite: OrgInvite, by: Author): Promise<void> {
    await this.invites.remove(org.id, invite.id, transaction);
    await writeEntry(transaction.manager, by, orgEntry(org, invite.id, { invite }));
  }
}

/** An invalid address cannot have been invited. */
function isInvited(email: string): string {
  const address = canonicalAddress(email);
  if (address === undefined) throw new NotFound('Invitation');
  return address;
}

function assertNotExpired(invite: { inviteDate: Date }): void {
  if (hasExpired(invite)) throw new Gone('The invitation has expired');
}

/**
 * Returns the actor for audit logs of requests without a token: the user with the address, otherwise the invitation
 * itself.
 */
function principalOf(user: User | null, { id, email }: OrgInvite): Principal {
  const subject = { type: 'user', id: user?.id ?? id } as const;
  return new Principal({ subject, name: email, scopes: [], issuedAt: 0 });
}
