import { rowCount, type CountedRows } from '../../../platform/counts/count-triggers.js';
import type { AuditTarget } from '../../../platform/audit/audit.js';
import type { Computed } from '../../../platform/database/row-shape.js';

const ofOrganization = (column: string): string =>
  `CASE WHEN t.owner_type = 'organization' THEN (SELECT o.${column} FROM orgs o WHERE o.id = t.owner_id) END`;

/** Computed columns with the organization that owns an application. */
export const ORGANIZATION: readonly Computed[] = [
  { property: 'organizationName', kind: 'text', sql: ofOrganization('name') },
  { property: 'organizationIconColor', kind: 'text', sql: ofOrganization('icon_color') },
];

/** Audit entries of an application in the log of the organization that owns it. */
export const AUDITED: AuditTarget = {
  log: 'organization',
  join: `JOIN orgs o ON o.id = t.owner_id AND t.owner_type = 'organization'`,
  primary: { type: 'Application', id: 't.id', name: 't.name' },
};

/** Count of applications of owners. */
export const COUNTED_APPLICATIONS: readonly CountedRows[] = [
  {
    table: 'applications',
    holder: 'owner_id',
    amounts: rowCount('appCount'),
    where: 'r.deleted_at IS NULL',
    moved: true,
  },
];
