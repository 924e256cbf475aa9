import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';
import { textSchema } from '../../../platform/fields/schema.js';

/** Types of resources that the search covers. */
export type FoundType =
  | 'applicationApiToken'
  | 'credential'
  | 'dataTable'
  | 'device'
  | 'deviceRecipe'
  | 'experienceEndpoint'
  | 'experienceGroup'
  | 'experienceUser'
  | 'flow'
  | 'webhook';

const TYPES = [
  'applicationApiToken',
  'credential',
  'dashboard',
  'dataTable',
  'deviceRecipe',
  'device',
  'experienceDomain',
  'event',
  'experienceEndpoint',
  'experienceGroup',
  'experienceSlug',
  'experienceUser',
  'experienceVersion',
  'experienceView',
  'file',
  'flow',
  'integration',
  'notebook',
  'resourceJob',
  'webhook',
] as const;
/** Classes of devices and workflows in one list: client schemas accept either in both properties. */
const CLASSES = [
  'cloud',
  'customNode',
  'edge',
  'edgeCompute',
  'embedded',
  'experience',
  'floating',
  'gateway',
  'peripheral',
  'standalone',
  'system',
];

export const FOUND_RESOURCES: JsonSchema = {
  title: 'ApplicationSearchResult',
  type: 'array',
  description: 'Search results, in order of type and then of name.',
  items: {
    title: 'FoundResource',
    type: 'object',
    required: ['id', 'name', '_type'],
    description: 'A resource that matches the search.',
    properties: {
      _type: {
        type: 'string',
        enum: [...TYPES],
        description: 'Type of the resource, such as `device` or `flow`.',
        example: 'device',
      },
      id: { type: 'string', pattern: ID_PATTERN, description: 'ID of the resource.', example: ID_EXAMPLE },
      name: textSchema(
        'Name of the resource; the route of an endpoint, or the email address of a user.',
        'Pump 3',
      ),
      deviceClass: {
        type: 'string',
        enum: CLASSES,
        description: 'Class of the device. Devices only.',
        example: 'standalone',
      },
      flowClass: {
        type: 'string',
        enum: CLASSES,
        description: 'Class of the workflow. Workflows only.',
        example: 'cloud',
      },
      viewType: {
        type: 'string',
        enum: ['layout', 'page', 'component'],
        description: 'Type of the experience view. Views only.',
        example: 'page',
      },
      version: textSchema(
        'Name of the version that the resource belongs to, for resources of a version.',
        'develop',
      ),
      metadata: {
        title: 'FoundResourceMetadata',
        type: 'object',
        description: 'Content type and location of the file. Files only.',
        properties: {
          contentType: textSchema('Media type of the file.', 'image/png'),
          descriptor: textSchema('Additional text that identifies the file, such as its name.', 'pump.png'),
          parentDirectory: textSchema('Path of the directory that contains the file.', '/images'),
        },
      },
    },
  },
};
