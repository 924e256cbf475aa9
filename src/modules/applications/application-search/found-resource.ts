import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';

/** What is found by its name. */
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
/** Of devices and of workflows; documents of clients have each under the name of the other. */
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
const text = (description: string, example: string) => ({ type: 'string', description, example });

export const FOUND_RESOURCES: JsonSchema = {
  title: 'ApplicationSearchResult',
  type: 'array',
  description: 'What was found, by type and then by name.',
  items: {
    title: 'FoundResource',
    type: 'object',
    required: ['id', 'name', '_type'],
    description: 'A resource of the application.',
    properties: {
      _type: { type: 'string', enum: [...TYPES], description: 'What it is.', example: 'device' },
      id: { type: 'string', pattern: ID_PATTERN, description: 'Its id.', example: ID_EXAMPLE },
      name: text('Its name.', 'Pump 3'),
      deviceClass: {
        type: 'string',
        enum: CLASSES,
        description: 'Of a device, its class.',
        example: 'standalone',
      },
      flowClass: {
        type: 'string',
        enum: CLASSES,
        description: 'Of a workflow, its class.',
        example: 'cloud',
      },
      viewType: {
        type: 'string',
        enum: ['layout', 'page', 'component'],
        description: 'Of a view, its type.',
        example: 'page',
      },
      version: text('Of what is part of a version, its name.', 'develop'),
      metadata: {
        title: 'FoundResourceMetadata',
        type: 'object',
        description: 'Of a file, where it is and what it has.',
        properties: {
          contentType: text('What it has.', 'image/png'),
          descriptor: text('What else tells it from others.', 'pump.png'),
          parentDirectory: text('The directory that it is in.', '/images'),
        },
      },
    },
  },
};
