import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FindOptionsWhere, Repository } from 'typeorm';
import { INVITE_TTL_SECONDS } from '../../../platform/counts/summaries.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runWholeList } from '../../../platform/lists/run-list.js';
import { Stored, type StoredPage } from '../../../platform/responses/answers.js';
import { expiredSql } from './org.columns.js';
import { canonicalRoles } from './org.rules.js';
import { OrgInvite } from './org-invite.resource.js';

const TITLE = 'Invitation';
const SHAPE = new RowShape<OrgInvite>(OrgInvite, [
  { property: 'ttl', kind: 'number', sql: String(INVITE_TTL_SECONDS) },
  { property: 'hasExpired', kind: 'boolean', sql: expiredSql('t') },
]);
const BY_ID = SHAPE.select('FROM org_invites t WHERE t.org_id = $1 AND t.id = $2');

/** A new invitation, as it is stored. */
export type NewInvite = Omit<OrgInvite, 'orgId' | 'ttl' | 'hasExpired' | 'dismissed'>;

/** The rows of invitations to organizations. Whoever changes them has locked the organization. */
@Injectable()
export class OrgInvitesRepository {
  constructor(
    @InjectRepository(OrgInvite) private readonly rows: Repository<OrgInvite>,
    private readonly database: Database,
  ) {}

  /** All of an organization: a rule bounds how many there are. */
  page(orgId: string, list: ListParameters): Promise<StoredPage<OrgInvite>> {
    const from = { table: 'org_invites', owner: orgId, where: ['t.org_id = $1'], values: [orgId] };
    return runWholeList(this.database, SHAPE, { ...from, list });
  }

  /** The invitation as it is shown, or 404. */
  async obtain(orgId: string, id: string): Promise<Stored<OrgInvite>> {
    const [row] = await this.database.run(prepared(BY_ID, [orgId, id]));
    if (!row) throw new NotFound(TITLE);
    return new Stored(SHAPE, row);
  }

  count(orgId: string, transaction: Transaction): Promise<number> {
    return this.within(transaction).countBy({ orgId });
  }

  /** The invitation, or 404. */
  async find(orgId: string, id: string, transaction: Transaction): Promise<OrgInvite> {
    return this.one({ orgId, id }, transaction);
  }

  /** The invitation of an address, where it has one. */
  ofAddress(orgId: string, email: string, transaction: Transaction): Promise<OrgInvite | null> {
    return this.within(transaction).findOneBy({ orgId, email });
  }

  /** The invitation that whoever has this mail holds, or 404. Found by its hash, so how long it takes tells nothing of the token. */
  ofMail(email: string, tokenHash: string, transaction: Transaction): Promise<OrgInvite> {
    return this.one({ email, tokenHash }, transaction);
  }

  /** The invitation of an address that is not dismissed, or 404. */
  ofInvited(email: string, id: string, transaction: Transaction): Promise<OrgInvite> {
    return this.one({ email, id, dismissed: false }, transaction);
  }

  async add(orgId: string, invite: NewInvite, transaction: Transaction): Promise<void> {
    const { applicationRoles, dashboardRoles } = invite;
    await this.within(transaction).insert({
      ...invite,
      orgId,
      applicationRoles: canonicalRoles(applicationRoles),
      dashboardRoles: canonicalRoles(dashboardRoles),
    });
  }

  async dismiss(orgId: string, id: string, transaction: Transaction): Promise<void> {
    await this.within(transaction).update({ orgId, id }, { dismissed: true });
  }

  async remove(orgId: string, id: string, transaction: Transaction): Promise<void> {
    await this.within(transaction).delete({ orgId, id });
  }

  async removeOfAddress(orgId: string, email: string, transaction: Transaction): Promise<void> {
    await this.within(transaction).delete({ orgId, email });
  }

  private async one(where: FindOptionsWhere<OrgInvite>, transaction: Transaction): Promise<OrgInvite> {
    const invite = await this.within(transaction).findOneBy(where);
    if (!invite) throw new NotFound(TITLE);
    return invite;
  }

  private within({ manager }: Transaction): Repository<OrgInvite> {
    return manager.withRepository(this.rows);
  }
}
