import type { Family } from '../../../platform/families.js';
import { COUNTED_ORGS } from './org.columns.js';
import { OrgInvite } from './org-invite.resource.js';
import { Org, OrgMember } from './org.resource.js';
import { ORG_PURGE } from './orgs.jobs.js';
import { OrgsModule } from './orgs.module.js';
import { RECENT_ORG } from './orgs.repository.js';

/** Organizations and their members. */
export const ORGS_FAMILY: Family = {
  modules: [OrgsModule],
  entities: [Org, OrgInvite, OrgMember],
  jobs: [ORG_PURGE],
  recentKinds: { organization: RECENT_ORG },
  countedRows: COUNTED_ORGS,
  tag: {
    name: 'orgs',
    title: 'Organizations',
    group: 'Organizations',
    resources: ['orgs', 'org'],
    description:
      'Organizations, in which users own applications together: their members, invitations and resources.',
  },
};
