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
import { StoredResource, type StoredPage } from '../../../platform/responses/stored-resources.js';
import { expiredSql } from './org.columns.js';
import { canonicalRoles } from './org.rules.js';
import { OrgInvite } from './org-invite.resource.js';

const TITLE = 'Invitation';
const SHAPE = new RowShape<OrgInvite>(OrgInvite, [
  { property: 'ttl', kind: 'number', sql: String(INVITE_TTL_SECONDS) },
  { property: 'hasExpired', kind: 'boolean', sql: expiredSql('t') },
]);
const BY_ID = SHAPE.select('FROM org_invites t WHERE t.org_id = $1 AND t.id = $2');

/** New invitation in its stored form. */
export type NewInvite = Omit<OrgInvite, 'orgId' | 'ttl' | 'hasExpired' | 'dismissed'>;

/** Repository of invitations to organizations. Callers that write must hold the lock of the organization. */
@Injectable()
export class OrgInvitesRepository {
  constructor(
    @InjectRepository(OrgInvite) private readonly rows: Repository<OrgInvite>,
    private readonly database: Database,
  ) {}

  /** Returns all invitations of an organization, whose number is limited. */
  page(orgId: string, list: ListParameters): Promise<StoredPage<OrgInvite>> {
    const from = { table: 'org_invites', owner: orgId, where: ['t.org_id = $1'], values: [orgId] };
    return runWholeList(this.database, SHAPE, { ...from, list, sizedBy: 'orgId' });
  }

  /** Returns the invitation as shown in responses. Throws 404 if it does not exist. */
  async obtain(orgId: string, id: string): Promise<StoredResource<OrgInvite>> {
    const [row] = await this.database.run(prepared(BY_ID, [orgId, id]));
    if (!row) throw new NotFound(TITLE);
    return new StoredResource(SHAPE, row);
  }

  count(orgId: string, transaction: Transaction): Promise<number> {
    return this.within(transaction).countBy({ orgId });
  }

  /** Returns the invitation. Throws 404 if it does not exist. */
  async find(orgId: string, id: string, transaction: Transaction): Promise<OrgInvite> {
    return this.one({ orgId, id }, transaction);
  }

  /** Returns the invitation of an address, or `null`. */
  ofAddress(orgId: string, email: string, transaction: Transaction): Promise<OrgInvite | null> {
    return this.within(transaction).findOneBy({ orgId, email });
  }

  /**
   * Returns the invitation of an e-mail. Throws 404 if it does not exist. The lookup uses the hash of the token, so its
   * duration reveals nothing about the token.
   */
  ofMail(email: string, tokenHash: string, transaction: Transaction): Promise<OrgInvite> {
    return this.one({ email, tokenHash }, transaction);
  }

  /** Returns an invitation of an address that is not dismissed. Throws 404 if it does not exist. */
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
