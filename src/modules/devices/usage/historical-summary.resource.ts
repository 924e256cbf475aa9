import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ChoiceField, DateField, IdField, JsonField, StringField } from '../../../platform/fields/fields.js';
import { limitsSchema, ORG_LIMITS } from '../../../platform/holdings/limits.js';
import { pageOf } from '../../../platform/lists/page.js';
import { payloadsByType } from '../../../platform/payloads/payload-schemas.js';
import type { StoredBytes } from '../../../platform/holdings/storage-limit.js';

/** What a summary of a month says of what there is, by the kept count that it is. */
export const SUMMARIZED: Readonly<Record<string, readonly [name: string, meaning: string]>> = {
  apiTokenCount: ['apiTokenCount', 'API tokens.'],
  appCount: ['applicationCount', 'Applications.'],
  keyCount: ['applicationKeyCount', 'Access keys.'],
  certificateAuthorityCount: ['certificateAuthorityCount', 'Certificate authorities.'],
  certificateCount: ['certificateCount', 'Device certificates.'],
  credentialCount: ['credentialCount', 'Service credentials.'],
  dashCount: ['dashboardCount', 'Dashboards.'],
  dataTableCount: ['dataTableCount', 'Data tables.'],
  deviceCount: ['deviceCount', 'Devices.'],
  deviceRecipeCount: ['deviceRecipeCount', 'Device recipes.'],
  eventCount: ['eventCount', 'Events.'],
  experienceDomainCount: ['experienceDomainCount', 'Experience domains.'],
  experienceEndpointCount: ['experienceEndpointCount', 'Experience endpoints.'],
  experienceGroupCount: ['experienceGroupCount', 'Experience groups.'],
  experienceSlugCount: ['experienceSlugCount', 'Experience slugs.'],
  experienceUserCount: ['experienceUserCount', 'Experience users.'],
  experienceVersionCount: ['experienceVersionCount', 'Experience versions.'],
  experienceViewCount: ['experienceViewCount', 'Experience views.'],
  fileCount: ['fileCount', 'Files.'],
  integrationCount: ['integrationCount', 'Integrations.'],
  memberCount: ['userCount', 'Members of an organization, or users of an instance.'],
  notebookCount: ['notebookCount', 'Notebooks.'],
  privateFileCount: ['privateFileCount', 'Private files.'],
  resourceJobCount: ['resourceJobCount', 'Resource jobs.'],
  webhookCount: ['webhookCount', 'Webhooks.'],
  flowCount: ['workflowCount', 'Workflows.'],
};

/** What it says of how much there is in mebibytes, by the kept sum of bytes that it is. */
export const SIZES: Readonly<Partial<Record<StoredBytes, string>>> = {
  fileBytes: 'fileTotalSizeMb',
  privateFileBytes: 'privateFileTotalSizeMb',
};

/** What it says of the month besides. */
const MEASURED: Readonly<Record<string, string>> = {
  applicationCountProrated: 'Applications, on average over the days of the month, where that is known.',
  dashboardCountProrated: 'Dashboards, on average over the days of the month, where that is known.',
  dataTableRowCount: 'Rows of data tables, where they are counted.',
  dataTableTotalSizeMb: 'The size of data tables in mebibytes, where it is counted.',
  deviceCountProrated: 'Devices at the ends of the days of the month, up to now, on average.',
  fileTotalSizeMb: 'The size of the contents of files in mebibytes.',
  notebookMinutesCount: 'Minutes that notebooks ran.',
  notebookRunCount: 'Runs of notebooks.',
  payloadBillableCount: 'Payloads that are billed.',
  payloadBillableSizeMb: 'Their size in mebibytes.',
  payloadNonbillableCount: 'Payloads that are billed to nobody.',
  payloadNonbillableSizeMb: 'Their size in mebibytes.',
  privateFileTotalSizeMb: 'The size of the contents of private files in mebibytes.',
  resourceProration: 'The part of the month, up to now, for which it was there: 1 for all of it.',
  userCountProrated: 'Users, on average over the days of the month, where that is known.',
};
const PAYLOADS = payloadsByType('PayloadsOfMonth', 'Payloads of a month, by type and then by channel.');
const WHOLE = new Set(['credentialCount', 'resourceJobCount']);

@ApiSchema({
  name: 'HistoricalSummary',
  description: 'What a month was of an application, an organization or the instance.',
})
export class HistoricalSummary {
  @IdField({ column: false, required: true, description: 'What it is of.' })
  resourceId: string;

  @ChoiceField(['application', 'organization', 'whitelabel'], {
    column: false,
    required: true,
    description: 'What that is; `whitelabel` is the instance.',
  })
  resourceType: 'application' | 'organization' | 'whitelabel';

  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name.',
    example: 'Pump station',
  })
  resourceName: string;

  @IdField({ column: false, description: 'Whose it is: a user or an organization, which is its own owner.' })
  ownerId?: string;

  @ChoiceField(['organization', 'user'], { column: false, description: 'What that is.' })
  ownerType?: 'organization' | 'user';

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'The name of the owner.',
    example: 'North Field',
  })
  ownerName?: string;

  @DateField({ column: false, required: true, description: 'When the month began, by UTC.' })
  currentPeriodStart: Date;

  @DateField({ column: false, required: true, description: 'When it ends.' })
  currentPeriodEnd: Date;

  @JsonField(limitsSchema('OrgLimits', ORG_LIMITS), {
    column: false,
    description: 'Of an organization, what it may have at most.',
  })
  limits?: object;

  @JsonField(PAYLOADS, {
    column: false,
    required: true,
    description: 'Payloads, by type and then by channel.',
    example: { webhook: { 'public.rest': 12 } },
  })
  payloadCountDetails: object;

  @JsonField(PAYLOADS, {
    column: false,
    required: true,
    description: 'Their sizes in bytes.',
    example: { webhook: { 'public.rest': 1024 } },
  })
  payloadSizeDetails: object;

  [number: string]: unknown;
}

for (const [name, description] of [...Object.values(SUMMARIZED), ...Object.entries(MEASURED)])
  ApiPropertyOptional({ type: WHOLE.has(name) ? 'integer' : 'number', minimum: 0, description, example: 3 })(
    HistoricalSummary.prototype,
    name,
  );

export const HistoricalSummaries = pageOf(HistoricalSummary, 'HistoricalSummaries');
