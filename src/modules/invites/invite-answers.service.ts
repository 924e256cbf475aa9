import { INVITE_TTL_SECONDS } from '../../platform/counts/summaries.js';
import { Injectable } from '@nestjs/common';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import { Principal } from '../../platform/access/principal.js';
import { writeEntry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { sha256 } from '../../platform/crypto/hashes.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { RowShape, type Computed } from '../../platform/database/row-shape.js';
import { prepared } from '../../platform/database/statements.js';
import { Gone, NotFound, ValidationError } from '../../platform/errors/errors.js';
import { Stored } from '../../platform/response/answers.js';
import { SignInThrottle } from '../auth/sign-in-throttle.js';
import { isFrozen, lockOrg, orgEntry, userOf } from '../orgs/locked-org.js';
import { OrgMembersService } from '../orgs/org-members.service.js';
import type { Org } from '../orgs/org.resource.js';
import {
  OrgInviteInfo,
  OrgInviteUser,
  type OrgInviteAction,
  type OrgInviteActionUser,
  type OrgInviteResult,
  type OrgInviteResultUser,
} from './invite-answer.resource.js';
import { expiredSql, hasExpired, OrgInvite } from '../orgs/org-invite.resource.js';
import { User } from '../users/user.entity.js';

/** What every invitation says of itself: SQL over `t`, it, and `o`, its organization. */
const FACTS: readonly Computed[] = [
  { property: 'orgName', kind: 'text', sql: 'o.name' },
  { property: 'role', kind: 'plain', sql: 't.role' },
  { property: 'inviteDate', kind: 'date', sql: 't.invite_date' },
  { property: 'ttl', kind: 'number', sql: String(INVITE_TTL_SECONDS) },
];
const INFO = new RowShape<OrgInviteInfo>(OrgInviteInfo, [
  ...FACTS,
  { property: 'email', kind: 'text', sql: 't.email' },
  { property: 'disallowTransfer', kind: 'boolean', sql: 't.disallow_transfer' },
]);
const SHAPE = new RowShape<OrgInviteUser>(OrgInviteUser, [
  ...FACTS,
  { property: 'expired', kind: 'boolean', sql: expiredSql('t') },
  {
    property: 'invitedBy',
    kind: 'json',
    sql: `json_strip_nulls(json_build_object('email', t.invited_by_email, 'fullName', t.invited_by_name))`,
  },
  {
    property: 'requiresMFA',
    kind: 'boolean',
    sql: `coalesce(o.mfa_mode = 'required' OR o.mfa_mode = 'adminRequired' AND t.role = 'admin', false)`,
  },
]);
const BY_MAIL = `FROM org_invites t JOIN orgs o ON o.id = t.org_id AND o.deleted_at IS NULL
  WHERE t.email = $1 AND t.token_hash = $2`;
const MOST_LISTED = 1000;
/** An address that is not verified may be somebody else's, so its invitations are not the user's. */
const MINE = `FROM users u JOIN org_invites t ON t.email = u.email AND NOT t.dismissed
  JOIN orgs o ON o.id = t.org_id AND o.deleted_at IS NULL AND o.instance_id = u.instance_id
  WHERE u.id = $1 AND u.email_verified`;

/** Invitations to organizations, as those see and answer them who are invited. */
@Injectable()
export class InviteAnswersService {
  constructor(
    private readonly database: Database,
    private readonly members: OrgMembersService,
    private readonly throttle: SignInThrottle,
  ) {}

  /** What the holder of an invitation's mail is shown; wrong tokens count as failed sign-ins from `address`. */
  look(token: string, email: string, address: string): Promise<OrgInviteInfo> {
    return this.throttle.attempt(undefined, address, async () => {
      const [row] = await this.database.run(
        prepared(INFO.select(BY_MAIL), [email.toLowerCase(), sha256(token)]),
      );
      if (!row) throw new NotFound('Invitation');
      const invite = INFO.toObject(row);
      refuseExpired(invite);
      return invite;
    });
  }

  /** The answer of who holds an invitation's mail, and so reads what goes to its address. */
  answer({ token, email, accept }: OrgInviteAction, address: string, by: Author): Promise<OrgInviteResult> {
    return this.throttle.attempt(undefined, address, () =>
      this.database.transaction(async (transaction) => {
        const { manager } = transaction;
        const { invite, org } = await hold(manager, heldBy(token, email));
        refuseExpired(invite);
        const user = await userOf(manager, org, invite.email);
        const signed = by.signedBy(principalOf(user, invite));
        if (!accept) await this.reject(manager, org, invite, signed);
        else if (user) await this.accept(transaction, org, invite, user, signed);
        else
          throw new ValidationError(
            'invite.email has no account here: one whose address is verified is needed to accept',
          );
        return { orgId: org.id, accepted: accept };
      }),
    );
  }

  /** Those of a user, newest first: anybody can invite, so there is an end to what is read. */
  async list(userId: string): Promise<OrgInviteUser[]> {
    const text = SHAPE.select(`${MINE} ORDER BY t.invite_date DESC, t.id LIMIT ${MOST_LISTED}`);
    const rows = await this.database.run(prepared(text, [userId]));
    return rows.map((row) => SHAPE.toObject(row));
  }

  async get(userId: string, inviteId: string): Promise<Stored<OrgInviteUser>> {
    const [row] = await this.database.run(
      prepared(SHAPE.select(`${MINE} AND t.id = $2`), [userId, inviteId]),
    );
    if (!row) throw new NotFound('Invitation');
    return new Stored(SHAPE, row);
  }

  /** The answer of the user who is invited. One that has expired can be dismissed and nothing else. */
  respond(inviteId: string, { action }: OrgInviteActionUser, by: Author): Promise<OrgInviteResultUser> {
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const user = await manager.findOneByOrFail(User, { id: by.caller.userId });
      const { invite, org } = await hold(manager, { id: inviteId, email: user.email, dismissed: false });
      if (!user.emailVerified || user.instanceId !== org.instanceId) throw new NotFound('Invitation');
      const orgId = org.id;
      if (action === 'dismiss') {
        await manager.update(OrgInvite, { id: inviteId }, { dismissed: true });
        return { orgId, result: 'dismissed' };
      }
      refuseExpired(invite);
      if (action === 'reject') {
        await this.reject(manager, org, invite, by);
        return { orgId, result: 'rejected' };
      }
      await this.accept(transaction, org, invite, user, by);
      return { orgId, result: 'accepted' };
    });
  }

  private async accept(
    transaction: Transaction,
    org: Org,
    invite: OrgInvite,
    user: User,
    by: Author,
  ): Promise<void> {
    const { manager } = transaction;
    if (isFrozen(org))
      throw new ValidationError('invite cannot be accepted: the organization is read-only or disabled');
    await manager.delete(OrgInvite, { id: invite.id });
    const { role, applicationRoles, dashboardRoles } = invite;
    await this.members.add(transaction, org.id, { userId: user.id, role, applicationRoles, dashboardRoles });
    await writeEntry(manager, by, orgEntry(org, user.id, { invite }));
  }

  private async reject(manager: EntityManager, org: Org, invite: OrgInvite, by: Author): Promise<void> {
    await manager.delete(OrgInvite, { id: invite.id });
    await writeEntry(manager, by, orgEntry(org, invite.id, { invite }));
  }
}

/** Found by its hash, so how long it takes tells nothing about the token. */
function heldBy(token: string, email: string): FindOptionsWhere<OrgInvite> {
  return { email: email.toLowerCase(), tokenHash: sha256(token) };
}

/** The invitation with its organization locked, or 404; it is read again as it may be gone once the lock is held. */
async function hold(
  manager: EntityManager,
  where: FindOptionsWhere<OrgInvite>,
): Promise<{ invite: OrgInvite; org: Org }> {
  const seen = await manager.findOneBy(OrgInvite, where);
  if (!seen) throw new NotFound('Invitation');
  const org = await lockOrg(manager, seen.orgId, 'Invitation');
  const invite = await manager.findOneBy(OrgInvite, where);
  if (!invite) throw new NotFound('Invitation');
  return { invite, org };
}

function refuseExpired(invite: { inviteDate: Date }): void {
  if (hasExpired(invite)) throw new Gone('The invitation has expired');
}

/** Whom a log names where no token does: the user of the address; where there is none, the invitation stands for them. */
function principalOf(user: User | null, { id, email }: OrgInvite): Principal {
  const subject = { type: 'user', id: user?.id ?? id } as const;
  return new Principal({ subject, name: email, scopes: [], issuedAt: 0 });
}
