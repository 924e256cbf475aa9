import { Injectable } from '@nestjs/common';
import { INVITE_TTL_SECONDS } from '../../../platform/counts/summaries.js';
import { Database } from '../../../platform/database/database.js';
import { RowShape, type Computed } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { StoredResource } from '../../../platform/responses/stored-resources.js';
import { expiredSql } from '../orgs/org.columns.js';
import { OrgInviteInfo, OrgInviteUser } from './invite-answer.resource.js';

/** Properties of every invitation: SQL over the invitation `t` and its organization `o`. */
const INVITE_COLUMNS: readonly Computed[] = [
  { property: 'orgName', kind: 'text', sql: 'o.name' },
  { property: 'role', kind: 'plain', sql: 't.role' },
  { property: 'inviteDate', kind: 'date', sql: 't.invite_date' },
  { property: 'ttl', kind: 'number', sql: String(INVITE_TTL_SECONDS) },
];
const INFO = new RowShape<OrgInviteInfo>(OrgInviteInfo, [
  ...INVITE_COLUMNS,
  { property: 'email', kind: 'text', sql: 't.email' },
  { property: 'disallowTransfer', kind: 'boolean', sql: 't.disallow_transfer' },
]);
const SHAPE = new RowShape<OrgInviteUser>(OrgInviteUser, [
  ...INVITE_COLUMNS,
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
const BY_EMAIL = `FROM org_invites t JOIN orgs o ON o.id = t.org_id AND o.deleted_at IS NULL
  WHERE t.email = $1 AND t.token_hash = $2`;
const MAX_LISTED = 1000;
/** An unverified address may belong to another person, so its invitations are not shown to the user. */
const OWN_INVITES = `FROM users u JOIN org_invites t ON t.email = u.email AND NOT t.dismissed
  JOIN orgs o ON o.id = t.org_id AND o.deleted_at IS NULL AND o.instance_id = u.instance_id
  WHERE u.id = $1 AND u.email_verified`;

/** Repository for invited users to read their invitations; `OrgInvitesRepository` writes them. */
@Injectable()
export class InviteAnswersRepository {
  constructor(private readonly database: Database) {}

  /** Returns the properties shown to the holder of the e-mail. Throws 404 if the invitation does not exist. */
  async ofMail(email: string, tokenHash: string): Promise<OrgInviteInfo> {
    const [row] = await this.database.run(prepared(INFO.select(BY_EMAIL), [email, tokenHash]));
    if (!row) throw new NotFound('Invitation');
    return INFO.toObject(row);
  }

  /** Returns the invitations of a user, newest first. The number is limited because any organization can send them. */
  async list(userId: string): Promise<OrgInviteUser[]> {
    const text = SHAPE.select(`${OWN_INVITES} ORDER BY t.invite_date DESC, t.id LIMIT ${MAX_LISTED}`);
    const rows = await this.database.run(prepared(text, [userId]));
    return rows.map((row) => SHAPE.toObject(row));
  }

  /** Returns an invitation of a user. Throws 404 if it does not exist. */
  async obtain(userId: string, id: string): Promise<StoredResource<OrgInviteUser>> {
    const text = SHAPE.select(`${OWN_INVITES} AND t.id = $2`);
    const [row] = await this.database.run(prepared(text, [userId, id]));
    if (!row) throw new NotFound('Invitation');
    return new StoredResource(SHAPE, row);
  }
}
