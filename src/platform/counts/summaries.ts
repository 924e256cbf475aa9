import { countsAmong, Summary } from './summary.js';

/** How long an invitation to an organization is open, in seconds: seven days. */
export const INVITE_TTL_SECONDS = 7 * 86_400;

/** What an application's summary counts. */
export const APPLICATION_COUNTS = {
  apiTokenCount: 'API tokens.',
  certificateAuthorityCount: 'Certificate authorities.',
  certificateCount: 'Device certificates.',
  credentialCount: 'Service credentials.',
  dashCount: 'Dashboards.',
  dataTableCount: 'Data tables.',
  deviceCount: 'Devices.',
  deviceRecipeCount: 'Device recipes.',
  eventCount: 'Events.',
  experienceDomainCount: 'Experience domains.',
  experienceEndpointCount: 'Experience endpoints.',
  experienceGroupCount: 'Experience groups.',
  experienceSlugCount: 'Experience slugs.',
  experienceUserCount: 'Experience users.',
  experienceVersionCount: 'Experience versions.',
  experienceViewCount: 'Experience views.',
  fileCount: 'Files.',
  flowCount: 'Workflows.',
  integrationCount: 'Integrations.',
  keyCount: 'Access keys.',
  notebookCount: 'Notebooks.',
  notebookStats: 'Notebook runs of the current billing period.',
  payloadCount: 'Payloads of the current billing period, by type.',
  privateFileCount: 'Private files.',
  resourceJobCount: 'Resource jobs.',
  storageStats: 'Workflow storage in use.',
  webhookCount: 'Webhooks.',
} as const;
export type ApplicationCount = keyof typeof APPLICATION_COUNTS;

/** What the summary of an owner of applications counts. */
export const OWNER_COUNTS = { ...APPLICATION_COUNTS, appCount: 'Applications.' } as const;

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
  memberCount: 'Members.',
  pendingInviteCount: 'Invitations that are open.',
};

export const orgSummary = new Summary(ORG_COUNTS, countsAmong(ORG_COUNTS), {
  owner: true,
  live: {
    // An invitation ends without anybody changing it; a rule bounds how many an organization has.
    pendingInviteCount: `(SELECT count(*) FROM org_invites i WHERE i.org_id = t.id AND i.invite_date > now() - interval '${INVITE_TTL_SECONDS} seconds')`,
  },
});

const USER_COUNTS = {
  ...OWNER_COUNTS,
  orgCount: 'Organizations that you are a member of.',
  instanceCount: 'Instances that you are a member of.',
};

// The tokens of applications are those of whoever owns these in an organization alone.
export const meSummary = new Summary(USER_COUNTS, countsAmong(USER_COUNTS), {
  owner: true,
  kinds: { apiTokenCount: 'userApiTokenCount' },
});
