import { ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';
import { textSchema, unsampled } from '../../../platform/fields/schema.js';
import { notYet } from '../../../platform/not-yet.js';
import { exampleId } from '../../../platform/fields/example-id.js';

const TYPES = [
  'applicationApiToken',
  'credential',
  notYet('dashboards', 'dashboard'),
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
  notYet('notebooks', 'notebook'),
  notYet('resourceJobs', 'resourceJob'),
  'webhook',
] as const;
/** Types of resources that the search covers; events and files are found with the filters of their lists. */
export type FoundType = Exclude<
  (typeof TYPES)[number],
  'dashboard' | 'event' | 'file' | 'notebook' | 'resourceJob'
>;
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

/** Properties that contain the class or type of a resource. */
export const CLASS_OF: Readonly<Partial<Record<FoundType, string>>> = {
  device: 'deviceClass',
  experienceView: 'viewType',
  flow: 'flowClass',
};

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
      id: {
        type: 'string',
        pattern: ID_PATTERN,
        description: 'ID of the resource.',
        example: exampleId('device'),
      },
      name: textSchema(
        'Name of the resource; the route of an endpoint, or the email address of a user.',
        'Pump 3',
      ),
      deviceClass: {
        title: 'FoundClass',
        type: 'string',
        enum: CLASSES,
        description: 'Class of the device. Devices only.',
        example: 'standalone',
      },
      flowClass: unsampled({
        title: 'FoundClass',
        type: 'string',
        enum: CLASSES,
        description: 'Class of the workflow. Workflows only.',
        example: 'cloud',
      }),
      viewType: unsampled({
        type: 'string',
        enum: ['layout', 'page', 'component'],
        description: 'Type of the experience view. Views only.',
        example: 'page',
      }),
      version: unsampled(
        textSchema(
          'Name of the version that the resource belongs to, for resources of a version.',
          'develop',
        ),
      ),
      metadata: unsampled({
        title: 'FoundResourceMetadata',
        type: 'object',
        description: 'Content type and location of the file. Files only.',
        properties: {
          contentType: textSchema('Media type of the file.', 'image/png'),
          descriptor: textSchema('Additional text that identifies the file, such as its name.', 'pump.png'),
          parentDirectory: textSchema('Path of the directory that contains the file.', '/images'),
        },
      }),
    },
  },
};
