import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runWholeList } from '../../../platform/lists/run-list.js';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { InstanceOrgMember } from './instance-org-member.resource.js';
import type { OrgOfInstance } from './instance-org.resource.js';

const MEMBERS = `(SELECT u.id, m.org_id, o.instance_id, u.email, u.first_name, u.last_name, m.role::text AS role,
    u.two_factor_key IS NOT NULL AS has_two_factor, u.sso_linked
  FROM org_members m JOIN orgs o ON o.id = m.org_id
  JOIN users u ON u.id = m.user_id AND u.permanent_deletion IS NULL)`;
const SHAPE = new RowShape<InstanceOrgMember>(InstanceOrgMember, [
  { property: 'instanceId', kind: 'plain', sql: 't.instance_id' },
  { property: 'orgId', kind: 'plain', sql: 't.org_id' },
  { property: 'userId', kind: 'plain', sql: 't.id' },
  { property: 'email', kind: 'text', sql: 't.email' },
  { property: 'firstName', kind: 'text', sql: 't.first_name' },
  { property: 'lastName', kind: 'text', sql: 't.last_name' },
  { property: 'role', kind: 'plain', sql: 't.role' },
  { property: 'twoFactorAuthEnabled', kind: 'boolean', sql: 't.has_two_factor' },
  { property: 'ssoLinked', kind: 'boolean', sql: 't.sso_linked' },
]);
const BY_ID = SHAPE.select(`FROM ${MEMBERS} t WHERE t.instance_id = $1 AND t.org_id = $2 AND t.id = $3`);

/** Repository for reading members of organizations through the instance; `OrgMembersRepository` writes them. */
@Injectable()
export class InstanceOrgMembersRepository {
  constructor(private readonly database: Database) {}

  async page(
    { instanceId, orgId }: OrgOfInstance,
    list: ListParameters,
  ): Promise<StoredPage<InstanceOrgMember>> {
    const where = ['t.instance_id = $1', 't.org_id = $2'];
    const from = { table: MEMBERS, owner: orgId, where, values: [instanceId, orgId] };
    const { items, envelope } = await runWholeList(this.database, SHAPE, { ...from, list });
    return new StoredPage(items, { ...envelope, instanceId, orgId });
  }

  /** Returns the member. Throws 404 if the user is not a member. */
  async findOneOrFail(
    { instanceId, orgId }: OrgOfInstance,
    userId: string,
  ): Promise<StoredResource<InstanceOrgMember>> {
    const [row] = await this.database.run(prepared(BY_ID, [instanceId, orgId, userId]));
    if (!row) throw new NotFound('Member');
    return new StoredResource(SHAPE, row);
  }
}
