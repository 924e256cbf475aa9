import { INVITE_TTL_SECONDS } from '../../platform/counts/summaries.js';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Config } from '../../config/config.js';
import type { Principal } from '../../platform/access/principal.js';
import { writeEntry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { randomToken, sha256 } from '../../platform/crypto/hashes.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { RowShape } from '../../platform/database/row-shape.js';
import { prepared } from '../../platform/database/statements.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import { demandWithinLimit } from '../../platform/limits.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import { runWholeList } from '../../platform/list/run-list.js';
import { validateAddress } from '../../platform/mail/mail.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { newId } from '../../platform/resource.js';
import { Stored, type StoredPage } from '../../platform/response/answers.js';
import { demandDomain, lockOrg, orgEntry, PLACES_TAKEN } from '../orgs/locked-org.js';
import { canonicalRoles, type MemberRoles } from '../orgs/org-members.service.js';
import type { Org } from '../orgs/org.resource.js';
import { inviteMail } from './invite-mail.js';
import { expiredSql, MOST_INVITES, OrgInvite, type OrgInvitePost } from '../orgs/org-invite.resource.js';
import { User } from '../users/user.entity.js';

const SHAPE = new RowShape<OrgInvite>(OrgInvite, [
  { property: 'ttl', kind: 'number', sql: String(INVITE_TTL_SECONDS) },
  { property: 'hasExpired', kind: 'boolean', sql: expiredSql('t') },
]);
/** Newest first, and all of them. */
const USUAL: ListParameters = { sortField: 'inviteDate', sortDirection: 'desc', page: 0, perPage: 0 };

/**
 * Invitations to organizations, as those see them who invite. Each address has at most one. What is done through the
 * instance names it by `instanceId`: its log then tells of it too.
 */
@Injectable()
export class InvitesService {
  constructor(
    private readonly database: Database,
    private readonly mail: MailService,
    private readonly config: Config,
  ) {}

  /** Those of an organization that are not answered, also those that have expired. */
  list(orgId: string, list: ListParameters = USUAL): Promise<StoredPage<OrgInvite>> {
    return runWholeList(this.database, SHAPE, {
      table: 'org_invites',
      where: ['t.org_id = $1'],
      values: [orgId],
      list,
    });
  }

  /** The same as a plain list. */
  async all(orgId: string): Promise<OrgInvite[]> {
    return (await this.list(orgId)).items.map((invite) => invite.toObject());
  }

  async get(orgId: string, inviteId: string): Promise<Stored<OrgInvite>> {
    const text = SHAPE.select('FROM org_invites t WHERE t.org_id = $1 AND t.id = $2');
    const [row] = await this.database.run(prepared(text, [orgId, inviteId]));
    if (!row) throw new NotFound('Invitation');
    return new Stored(SHAPE, row);
  }

  /** Sends an invitation. One that the address has already is renewed: its mail holds no longer, the new one does. */
  async invite(orgId: string, post: OrgInvitePost, by: Author, instanceId?: string): Promise<void> {
    await this.database.transaction((transaction) =>
      this.inviteWithin(transaction, orgId, post, by, instanceId),
    );
  }

  /** As `invite`, as part of a transaction. */
  async inviteWithin(
    transaction: Transaction,
    orgId: string,
    post: OrgInvitePost,
    by: Author,
    instanceId?: string,
  ): Promise<void> {
    const email = validateAddress(post.email.toLowerCase(), 'invite.email');
    const org = await lockOrg(transaction.manager, orgId);
    const known = await transaction.manager.findOneBy(OrgInvite, { orgId, email });
    await this.issue(transaction, org, { ...post, id: known?.id ?? newId(), email }, by, instanceId);
  }

  /** Renews an invitation, with other roles where they are given; its earlier mail holds no longer. */
  async resend(
    orgId: string,
    inviteId: string,
    changes: MemberRoles,
    by: Author,
    instanceId?: string,
  ): Promise<Stored<OrgInvite>> {
    await this.database.transaction(async (transaction) => {
      const org = await lockOrg(transaction.manager, orgId);
      const known = await inviteOf(transaction.manager, orgId, inviteId);
      await this.issue(transaction, org, { ...known, ...changes }, by, instanceId);
    });
    return this.get(orgId, inviteId);
  }

  /** Takes an invitation back: its mail holds no longer. */
  async revoke(orgId: string, inviteId: string, by: Author, instanceId?: string): Promise<void> {
    await this.database.transaction(async ({ manager }) => {
      const org = await lockOrg(manager, orgId);
      const invite = await inviteOf(manager, orgId, inviteId);
      await manager.delete(OrgInvite, { id: inviteId });
      await writeEntry(manager, by, orgEntry(org, inviteId, { instanceId, invite }));
    });
  }

  /** Replaces the invitation of that id by one with a new token, sends its mail and writes the entry of the log. */
  private async issue(
    transaction: Transaction,
    org: Org,
    given: OrgInvitePost & { id: string },
    by: Author,
    instanceId: string | undefined,
  ): Promise<void> {
    const { manager } = transaction;
    const { id, email, role, disallowTransfer = false } = given;
    demandDomain(org, email, 'invite.email');
    if (await isMember(manager, org.id, email))
      throw new ValidationError('invite.email is the address of a member');
    await manager.delete(OrgInvite, { id });
    await demandWithinLimit(manager, { table: 'orgs', id: org.id }, 'member', PLACES_TAKEN);
    if ((await manager.countBy(OrgInvite, { orgId: org.id })) >= MOST_INVITES)
      throw new ValidationError(
        `invite is one too many: ${MOST_INVITES} are not answered yet, take some back that have expired`,
      );
    const token = randomToken();
    const invite = {
      id,
      orgId: org.id,
      email,
      role,
      applicationRoles: canonicalRoles(given.applicationRoles),
      dashboardRoles: canonicalRoles(given.dashboardRoles),
      disallowTransfer,
      inviteDate: new Date(),
      tokenHash: sha256(token),
      ...(await inviterOf(manager, by.caller)),
    };
    await manager.insert(OrgInvite, invite);
    const facts = { orgName: org.name, token, publicUrl: this.config.publicUrl };
    await this.mail.send(transaction, inviteMail(invite, facts), by);
    await writeEntry(manager, by, orgEntry(org, id, { instanceId, invite }));
  }
}

async function inviteOf(manager: EntityManager, orgId: string, id: string): Promise<OrgInvite> {
  const invite = await manager.findOneBy(OrgInvite, { orgId, id });
  if (!invite) throw new NotFound('Invitation');
  return invite;
}

async function isMember(manager: EntityManager, orgId: string, email: string): Promise<boolean> {
  const [member] = await manager.query<unknown[]>(
    `SELECT 1 FROM org_members m JOIN users u ON u.id = m.user_id AND u.permanent_deletion IS NULL
     WHERE m.org_id = $1 AND u.email = $2`,
    [orgId, email],
  );
  return member !== undefined;
}

/** Who invites, as they are now: a user, or the instance whose token it is. */
async function inviterOf(
  manager: EntityManager,
  { subject, name }: Principal,
): Promise<Pick<OrgInvite, 'invitedByEmail' | 'invitedByName'>> {
  if (subject.type !== 'user') return { invitedByEmail: null, invitedByName: name ?? null };
  const { email, firstName, lastName } = await manager.findOneByOrFail(User, { id: subject.id });
  return { invitedByEmail: email, invitedByName: [firstName, lastName].filter(Boolean).join(' ') || null };
}
