import { Summary } from '../summary.js';

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
  eventCount: 'Events that are not resolved.',
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

/** What the summary of an owner of applications counts. */
export const OWNER_COUNTS = { ...APPLICATION_COUNTS, appCount: 'Applications.' } as const;

/** Families register here how their resources are counted per application. */
export const applicationSummary = new Summary(APPLICATION_COUNTS, [
  'deviceCount',
  'deviceRecipeCount',
  'eventCount',
  'flowCount',
  'keyCount',
  'webhookCount',
]);

export const orgSummary = new Summary(
  { ...OWNER_COUNTS, memberCount: 'Members.', pendingInviteCount: 'Invitations that are open.' },
  ['appCount', 'dashCount', 'deviceCount', 'memberCount', 'pendingInviteCount'],
);

export const meSummary = new Summary(
  {
    ...OWNER_COUNTS,
    orgCount: 'Organizations that you are a member of.',
    instanceCount: 'Instances that you are a member of.',
  },
  ['appCount', 'dashCount', 'deviceCount', 'orgCount'],
);
