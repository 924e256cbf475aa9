import type { JsonSchema } from '../../../platform/fields/fields.js';

const KEYWORD = {
  type: 'string',
  pattern: '^[0-9a-zA-Z_-]{1,255}$',
  example: 'industry',
} as const satisfies JsonSchema;
export const MAX_KEYWORDS = 100;
export const KEYWORDS = {
  type: 'array',
  maxItems: MAX_KEYWORDS,
  items: KEYWORD,
} as const satisfies JsonSchema;

/** Schema of the resource types of a category other than applications. */
export const CATEGORY_TYPES = {
  type: 'array',
  maxItems: 100,
  items: { type: 'string', enum: ['DeviceRecipe', 'CustomNode'], example: 'CustomNode' },
} as const satisfies JsonSchema;

/** Summary properties of a template by the resource types of its bundle. */
export const SUMMARY_COUNTS = {
  ApplicationCertificateAuthority: 'applicationCertificateAuthorityCount',
  Dashboard: 'dashboardCount',
  DataTable: 'dataTableCount',
  Device: 'deviceCount',
  DeviceTree: 'deviceCount',
  DeviceRecipe: 'deviceRecipeCount',
  ExperienceEndpoint: 'experienceEndpointCount',
  ExperienceGroup: 'experienceGroupCount',
  ExperienceGroupTree: 'experienceGroupCount',
  ExperienceUser: 'experienceUserCount',
  ExperienceVersion: 'experienceVersionCount',
  ExperienceView: 'experienceViewCount',
  File: 'fileCount',
  Flow: 'flowCount',
  ExperienceFlowVersion: 'flowCount',
  Integration: 'integrationCount',
  Notebook: 'notebookCount',
  PrivateFile: 'privateFileCount',
  ResourceJob: 'resourceJobCount',
  Webhook: 'webhookCount',
} as const;
export type SummaryCount = (typeof SUMMARY_COUNTS)[keyof typeof SUMMARY_COUNTS] | 'dataTableCsvSize';

export const TEMPLATE_SUMMARY: JsonSchema = {
  title: 'ApplicationTemplateSummary',
  type: 'object',
  description: 'Number of resources of each kind in the template.',
  properties: Object.fromEntries(
    [...Object.values(SUMMARY_COUNTS), 'dataTableCsvSize'].map((name) => [
      name,
      {
        type: 'integer',
        minimum: 0,
        description:
          name === 'dataTableCsvSize'
            ? 'Total size of the data table rows in bytes, as CSV.'
            : 'Number of resources of this kind.',
        example: 2,
      },
    ]),
  ),
};

/** Properties of `application.yaml` that describe the template rather than the application. */
export const TEMPLATE_DETAILS: JsonSchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 255 },
    description: { type: 'string', maxLength: 1024 },
    authorName: { type: 'string', maxLength: 255 },
    authorUrl: { type: 'string', maxLength: 1024, pattern: '^https?://' },
    imageUrl: { type: 'string', maxLength: 1024, pattern: '^https?://' },
    keywords: KEYWORDS,
    creationDate: { type: 'string', format: 'date-time' },
    lastUpdated: { type: 'string', format: 'date-time' },
  },
};

/** Properties of a category in `index.yaml`. */
export const CATEGORY_DETAILS: JsonSchema = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 255 },
    description: { type: 'string', maxLength: 32_767 },
    resourceTypes: { ...CATEGORY_TYPES, nullable: true },
  },
};
