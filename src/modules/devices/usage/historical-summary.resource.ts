import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ChoiceField, DateField, IdField, JsonField, StringField } from '../../../platform/fields/fields.js';
import { limitsSchema, ORG_LIMITS } from '../../../platform/holdings/limits.js';
import { pageOf } from '../../../platform/lists/page.js';
import { payloadsByType } from '../../../platform/payloads/payload-schemas.js';
import type { StoredBytes } from '../../../platform/holdings/storage-limit.js';

/** Names and descriptions of the counts in a monthly summary, by stored count. */
export const SUMMARIZED: Readonly<Record<string, readonly [name: string, meaning: string]>> = {
  apiTokenCount: ['apiTokenCount', 'Number of API tokens.'],
  appCount: ['applicationCount', 'Number of applications.'],
  keyCount: ['applicationKeyCount', 'Number of access keys.'],
  certificateAuthorityCount: ['certificateAuthorityCount', 'Number of certificate authorities.'],
  certificateCount: ['certificateCount', 'Number of device certificates.'],
  credentialCount: ['credentialCount', 'Number of service credentials.'],
  dashCount: ['dashboardCount', 'Number of dashboards.'],
  dataTableCount: ['dataTableCount', 'Number of data tables.'],
  deviceCount: ['deviceCount', 'Number of devices.'],
  deviceRecipeCount: ['deviceRecipeCount', 'Number of device recipes.'],
  eventCount: ['eventCount', 'Number of events.'],
  experienceDomainCount: ['experienceDomainCount', 'Number of experience domains.'],
  experienceEndpointCount: ['experienceEndpointCount', 'Number of experience endpoints.'],
  experienceGroupCount: ['experienceGroupCount', 'Number of experience groups.'],
  experienceSlugCount: ['experienceSlugCount', 'Number of experience slugs.'],
  experienceUserCount: ['experienceUserCount', 'Number of experience users.'],
  experienceVersionCount: ['experienceVersionCount', 'Number of experience versions.'],
  experienceViewCount: ['experienceViewCount', 'Number of experience views.'],
  fileCount: ['fileCount', 'Number of files.'],
  integrationCount: ['integrationCount', 'Number of integrations.'],
  memberCount: ['userCount', 'Number of members of an organization, or of users of an instance.'],
  notebookCount: ['notebookCount', 'Number of notebooks.'],
  privateFileCount: ['privateFileCount', 'Number of private files.'],
  resourceJobCount: ['resourceJobCount', 'Number of resource jobs.'],
  webhookCount: ['webhookCount', 'Number of webhooks.'],
  flowCount: ['workflowCount', 'Number of workflows.'],
};

/** Names of the sizes in mebibytes, by stored sum of bytes. */
export const SIZES: Readonly<Partial<Record<StoredBytes, string>>> = {
  fileBytes: 'fileTotalSizeMb',
  privateFileBytes: 'privateFileTotalSizeMb',
};

/** Descriptions of the other monthly values. */
const MEASURED: Readonly<Record<string, string>> = {
  applicationCountProrated: 'Average number of applications over the days of the month, if known.',
  dashboardCountProrated: 'Average number of dashboards over the days of the month, if known.',
  dataTableRowCount: 'Number of rows in data tables, if counted.',
  dataTableTotalSizeMb: 'Size of data tables in mebibytes, if counted.',
  deviceCountProrated: 'Average number of devices at the end of each day of the month, up to now.',
  fileTotalSizeMb: 'Size of file contents in mebibytes.',
  notebookMinutesCount: 'Run time of notebooks in minutes.',
  notebookRunCount: 'Number of notebook runs.',
  payloadBillableCount: 'Number of billable payloads.',
  payloadBillableSizeMb: 'Size of billable payloads in mebibytes.',
  payloadNonbillableCount: 'Number of payloads that are not billed.',
  payloadNonbillableSizeMb: 'Size of payloads that are not billed, in mebibytes.',
  privateFileTotalSizeMb: 'Size of private file contents in mebibytes.',
  resourceProration:
    'Fraction of the month, up to now, during which the resource existed; `1` for the whole month.',
  userCountProrated: 'Average number of users over the days of the month, if known.',
};
const PAYLOADS = payloadsByType('PayloadsOfMonth', 'Payloads of a month by type and channel.');
const UNPRORATED_COUNTS = new Set(['credentialCount', 'resourceJobCount']);

@ApiSchema({
  name: 'HistoricalSummary',
  description: 'Monthly summary of an application, an organization or the instance.',
})
export class HistoricalSummary {
  @IdField({ column: false, required: true, description: 'ID of the summarized resource.' })
  resourceId: string;

  @ChoiceField(['application', 'organization', 'whitelabel'], {
    title: 'SummaryResourceType',
    column: false,
    required: true,
    description: 'Type of the summarized resource; `whitelabel` is the instance.',
  })
  resourceType: 'application' | 'organization' | 'whitelabel';

  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the summarized resource.',
    example: 'Pump station',
  })
  resourceName: string;

  @IdField({
    column: false,
    description: 'ID of the user or organization that owns the resource. An organization is its own owner.',
  })
  ownerId?: string;

  @ChoiceField(['user', 'organization'], { column: false, description: 'Type of the owner of the resource.' })
  ownerType?: 'organization' | 'user';

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the owner.',
    example: 'North Field',
  })
  ownerName?: string;

  @DateField({ column: false, required: true, description: 'Start of the month, in UTC.' })
  currentPeriodStart: Date;

  @DateField({ column: false, required: true, description: 'End of the month, exclusive, in UTC.' })
  currentPeriodEnd: Date;

  @JsonField(limitsSchema('OrgLimits', ORG_LIMITS), {
    column: false,
    description: 'Limits of the organization, if the resource is an organization.',
  })
  limits?: object;

  @JsonField(PAYLOADS, {
    column: false,
    required: true,
    description: 'Number of payloads by type and channel.',
    example: { webhook: { 'public.rest': 12 } },
  })
  payloadCountDetails: object;

  @JsonField(PAYLOADS, {
    column: false,
    required: true,
    description: 'Size of payloads in bytes, by type and channel.',
    example: { webhook: { 'public.rest': 1024 } },
  })
  payloadSizeDetails: object;

  [number: string]: unknown;
}

for (const [name, description] of [...Object.values(SUMMARIZED), ...Object.entries(MEASURED)])
  ApiPropertyOptional({
    type: UNPRORATED_COUNTS.has(name) ? 'integer' : 'number',
    minimum: 0,
    description,
    example: 3,
  })(HistoricalSummary.prototype, name);

export const HistoricalSummaries = pageOf(HistoricalSummary, 'HistoricalSummaries');
