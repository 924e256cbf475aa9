import { holdings } from './holdings.js';
import type { CountedRows } from './platform/counts/count-triggers.js';
import { countedRowsOf } from './platform/holdings/holding.js';

const one = (kind: string) => [{ kind: `'${kind}'`, amount: '1' }];

/**
 * All counts that are stored: those of applications, users, organizations, instances, workflows and data tables.
 * Migrations create the triggers of each. A test suite fails if the triggers differ from these declarations.
 */
export const countedRows: readonly CountedRows[] = [
  ...holdings.flatMap(countedRowsOf),
  {
    table: 'flow_versions',
    holder: 'flow_id',
    amounts: one('versionCount'),
    where: '(SELECT true FROM flows f WHERE f.id = r.flow_id)',
  },
  {
    table: 'api_tokens',
    holder: 'owner_id',
    ofApplications: true,
    amounts: [
      {
        kind: `CASE r.owner_type WHEN 'user' THEN 'userApiTokenCount' ELSE 'apiTokenCount' END`,
        amount: '1',
      },
    ],
  },
  {
    table: 'applications',
    holder: 'owner_id',
    amounts: one('appCount'),
    where: 'r.deleted_at IS NULL',
    moved: true,
  },
  {
    table: 'org_members',
    holder: 'org_id',
    amounts: one('memberCount'),
    where: '(SELECT u.permanent_deletion IS NULL FROM users u WHERE u.id = r.user_id)',
    decidedBy: { table: 'users', column: 'user_id' },
  },
  {
    table: 'org_members',
    name: 'orgs_of_users',
    holder: 'user_id',
    amounts: one('orgCount'),
    where: '(SELECT o.deleted_at IS NULL FROM orgs o WHERE o.id = r.org_id)',
    decidedBy: { table: 'orgs', column: 'org_id' },
  },
  { table: 'instance_members', holder: 'user_id', amounts: one('instanceCount') },
  { table: 'orgs', holder: 'instance_id', amounts: one('orgCount'), where: 'r.deleted_at IS NULL' },
  { table: 'users', holder: 'instance_id', amounts: one('userCount'), where: 'r.permanent_deletion IS NULL' },
  { table: 'instance_custom_nodes', holder: 'instance_id', amounts: one('customNodeCount') },
  {
    table: 'data_tables',
    name: 'data_table_rows',
    holder: 'id',
    amounts: [{ kind: `'rowCount'`, amount: 'count_data_table_rows(r.id)' }],
    keptElsewhere: true,
  },
  ...(['embedded', 'edge'] as const).map((kind) => ({
    table: `${kind}_deployments`,
    holder: 'application_id',
    ofApplications: true,
    amounts: one(`${kind}DeploymentCount`),
    where: 'r.deleted_at IS NULL',
    updated: true,
  })),
  { table: 'jobs', holder: 'application_id', ofApplications: true, amounts: one('jobLogCount') },
  { table: 'audit_logs', holder: 'org_id', amounts: one('auditLogCount') },
  { table: 'instance_audit_logs', holder: 'instance_id', amounts: one('auditLogCount') },
];
