import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import type { Principal } from '../../../platform/access/principal.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { parseAddress } from '../../../lib/mail/addresses.js';
import { randomToken, sha256 } from '../../../lib/crypto/hashes.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Unauthorized, ValidationError } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { validateAddress } from '../../../lib/mail/mail.js';
import { MailService } from '../../../platform/mail/mail.service.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { MAX_INVITES, type OrgInvite, type OrgInvitePost } from '../orgs/org-invite.resource.js';
import { OrgInvitesRepository } from '../orgs/org-invites.repository.js';
import { OrgMembersRepository } from '../orgs/org-members.repository.js';
import type { MemberRoles } from '../orgs/org-members.service.js';
import type { Org } from '../orgs/org.resource.js';
import { assertAllowedDomain, orgEntry } from '../orgs/org.rules.js';
import { OrgsRepository } from '../orgs/orgs.repository.js';
import { UsersRepository } from '../users/users.repository.js';
import { inviteMail } from './invite-mail.js';
import { InviteThrottle } from './invite-throttle.js';

/** Newest first, without a page limit. */
const DEFAULT_LIST: ListParameters = { sortField: 'inviteDate', sortDirection: 'desc', page: 0, perPage: 0 };

/**
 * Manages invitations to organizations on behalf of the senders. Each address has at most one per organization.
 * Operations through the instance pass `instanceId` and are also recorded in its audit log.
 */
@Injectable()
export class InvitesService {
  constructor(
    private readonly invites: OrgInvitesRepository,
    private readonly orgs: OrgsRepository,
    private readonly members: OrgMembersRepository,
    private readonly users: UsersRepository,
    private readonly database: Database,
    private readonly mail: MailService,
    private readonly config: Config,
    private readonly throttle: InviteThrottle,
  ) {}

  /** Returns the unanswered invitations of an organization, including expired ones. */
  list(orgId: string, list: ListParameters = DEFAULT_LIST): Promise<StoredPage<OrgInvite>> {
    return this.invites.page(orgId, list);
  }

  /** Returns the unanswered invitations as a plain array. */
  async listAll(orgId: string): Promise<OrgInvite[]> {
    return (await this.list(orgId)).items.map((invite) => invite.toObject());
  }

  get(orgId: string, inviteId: string): Promise<StoredResource<OrgInvite>> {
    return this.invites.obtain(orgId, inviteId);
  }

  /** Sends an invitation. If the address already has one, it is replaced and its earlier e-mail becomes invalid. */
  async invite(orgId: string, post: OrgInvitePost, by: Author, instanceId?: string): Promise<void> {
    await this.database.transaction((transaction) =>
      this.inviteWithin(transaction, orgId, post, by, instanceId),
    );
  }

  /** Sends an invitation within a transaction. */
  async inviteWithin(
    transaction: Transaction,
    orgId: string,
    post: OrgInvitePost,
    by: Author,
    instanceId?: string,
  ): Promise<void> {
    const email = validateAddress(parseAddress(post.email, 'invite.email'), 'invite.email');
    const org = await this.orgs.lock(orgId, transaction);
    const known = await this.invites.ofAddress(orgId, email, transaction);
    await this.issue(transaction, org, { ...post, id: known?.id ?? newId(), email }, by, instanceId);
  }

  /** Resends an invitation, with new roles if given. Its earlier e-mail becomes invalid. */
  async resend(
    orgId: string,
    inviteId: string,
    changes: MemberRoles,
    by: Author,
    instanceId?: string,
  ): Promise<StoredResource<OrgInvite>> {
    await this.database.transaction(async (transaction) => {
      const org = await this.orgs.lock(orgId, transaction);
      const known = await this.invites.find(orgId, inviteId, transaction);
      await this.issue(transaction, org, { ...known, ...changes }, by, instanceId);
    });
    return this.get(orgId, inviteId);
  }

  /** Revokes an invitation; its e-mail becomes invalid. */
  async revoke(orgId: string, inviteId: string, by: Author, instanceId?: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const org = await this.orgs.lock(orgId, transaction);
      const invite = await this.invites.find(orgId, inviteId, transaction);
      await this.invites.remove(orgId, inviteId, transaction);
      await writeEntry(transaction.manager, by, orgEntry(org, inviteId, { instanceId, invite }));
    });
  }

  /** Replaces the invitation with this ID by one with a new token, sends its e-mail and writes the audit log entry. */
  private async issue(
    transaction: Transaction,
    org: Org,
    given: OrgInvitePost & { id: string },
    by: Author,
    instanceId: string | undefined,
  ): Promise<void> {
    const { id, email, role, applicationRoles = [], dashboardRoles = [], disallowTransfer = false } = given;
    assertAllowedDomain(org, email, 'invite.email');
    await this.throttle.consume(email, [by.caller.subject.id, org.id]);
    if (await this.members.hasAddress(org.id, email, transaction))
      throw new ValidationError('invite.email is the address of a member');
    await this.invites.remove(org.id, id, transaction);
    if ((await this.invites.count(org.id, transaction)) >= MAX_INVITES)
      throw new ValidationError(
        `invite cannot be created: ${MAX_INVITES} invitations are open; revoke those that have expired`,
      );
    await this.members.assertWithinLimit(org.id, transaction);
    const token = randomToken();
    const invite = {
      id,
      email,
      role,
      applicationRoles,
      dashboardRoles,
      disallowTransfer,
      inviteDate: new Date(),
      tokenHash: sha256(token),
      ...(await this.inviterOf(by.caller, transaction)),
    };
    await this.invites.add(org.id, invite, transaction);
    const facts = { orgName: org.name, token, publicUrl: this.config.publicUrl };
    await this.mail.send(transaction, inviteMail(invite, facts), by);
    await writeEntry(transaction.manager, by, orgEntry(org, id, { instanceId, invite }));
  }

  /** Returns the current data of the sender: a user, or the instance that owns the token. */
  private async inviterOf(
    { subject, name }: Principal,
    transaction: Transaction,
  ): Promise<Pick<OrgInvite, 'invitedByEmail' | 'invitedByName'>> {
    if (subject.type !== 'user') return { invitedByEmail: null, invitedByName: name ?? null };
    const user = await this.users.find({ id: subject.id }, transaction);
    if (!user) throw new Unauthorized();
    const { email, firstName, lastName } = user;
    return { invitedByEmail: email, invitedByName: [firstName, lastName].filter(Boolean).join(' ') || null };
  }
}
