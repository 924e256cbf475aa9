import { notYet } from '../not-yet.js';
import { countsAmong, Summary } from './summary.js';

/** Time in seconds for which an invitation to an organization is valid: seven days. */
export const INVITE_TTL_SECONDS = 7 * 86_400;

/** Counts in the summary of an application. */
export const APPLICATION_COUNTS = {
  apiTokenCount: 'Number of API tokens.',
  certificateAuthorityCount: 'Number of certificate authorities.',
  certificateCount: 'Number of device certificates.',
  credentialCount: 'Number of service credentials.',
  dashCount: 'Number of dashboards.',
  dataTableCount: 'Number of data tables.',
  deviceCount: 'Number of devices.',
  deviceRecipeCount: 'Number of device recipes.',
  eventCount: 'Number of events.',
  experienceDomainCount: 'Number of experience domains.',
  experienceEndpointCount: 'Number of experience endpoints.',
  experienceGroupCount: 'Number of experience groups.',
  experienceSlugCount: 'Number of experience slugs.',
  experienceUserCount: 'Number of experience users.',
  experienceVersionCount: 'Number of experience versions.',
  experienceViewCount: 'Number of experience views.',
  fileCount: 'Number of files.',
  flowCount: 'Number of workflows.',
  integrationCount: 'Number of integrations.',
  keyCount: 'Number of access keys.',
  notebookCount: 'Number of notebooks.',
  notebookStats: 'Notebook runs in the current billing period.',
  payloadCount: 'Payloads in the current billing period, by type.',
  privateFileCount: 'Number of private files.',
  resourceJobCount: 'Number of resource jobs.',
  storageStats: 'Workflow storage in use.',
  webhookCount: 'Number of webhooks.',
} as const;
export type ApplicationCount = keyof typeof APPLICATION_COUNTS;

/** Counts of what does not exist, which are always 0. `test/suites/holdings.e2e-spec.ts` requires rows for all others. */
export const UNCOUNTED: readonly ApplicationCount[] = [
  ...notYet('dashboards', ['dashCount']),
  ...notYet('notebooks', ['notebookCount', 'notebookStats']),
  ...notYet('resourceJobs', ['resourceJobCount']),
];

/** Counts in the summary of an owner of applications. */
export const OWNER_COUNTS = { ...APPLICATION_COUNTS, appCount: 'Number of applications.' } as const;

export const applicationSummary = new Summary(APPLICATION_COUNTS, [
  'deviceCount',
  'deviceRecipeCount',
  'eventCount',
  'flowCount',
  'keyCount',
  'webhookCount',
]);

const ORG_COUNTS = {
  ...OWNER_COUNTS,
  memberCount: 'Number of members.',
  pendingInviteCount: 'Number of open invitations.',
};

export const orgSummary = new Summary(ORG_COUNTS, countsAmong(ORG_COUNTS), {
  owner: true,
  live: {
    // Counted live, because invitations expire without a write. A limit bounds their number per organization.
    pendingInviteCount: `(SELECT count(*) FROM org_invites i WHERE i.org_id = t.id AND i.invite_date > now() - interval '${INVITE_TTL_SECONDS} seconds')`,
  },
});

const USER_COUNTS = {
  ...OWNER_COUNTS,
  orgCount: 'Number of organizations of which you are a member.',
  instanceCount: 'Number of instances of which you are a member.',
};

// Tokens of applications only count for organizations. For users, `apiTokenCount` is the number of user tokens.
export const meSummary = new Summary(USER_COUNTS, countsAmong(USER_COUNTS), {
  owner: true,
  kinds: { apiTokenCount: 'userApiTokenCount' },
});
