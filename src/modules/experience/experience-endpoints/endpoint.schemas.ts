import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';

export const METHODS = ['delete', 'get', 'options', 'patch', 'post', 'put'] as const;
export const ACCESS_KINDS = ['public', 'authenticated', 'group', 'device'] as const;

export const GROUP_IDS: JsonSchema = {
  type: 'array',
  maxItems: 1000,
  items: { type: 'string', pattern: ID_PATTERN },
};

/** Groups as an endpoint shows them. */
export const ENDPOINT_GROUPS: JsonSchema = {
  type: 'array',
  items: {
    title: 'ExperienceEndpointGroup',
    type: 'object',
    description: 'A group of the experience.',
    properties: {
      id: { type: 'string', pattern: ID_PATTERN, description: 'Its id.', example: ID_EXAMPLE },
      name: { type: 'string', minLength: 1, maxLength: 255, description: 'Its name.', example: 'Operators' },
    },
  },
};

/** Requests in steps of time, by what they are counted by. */
export const ENDPOINT_STATS: JsonSchema = {
  title: 'ExperienceEndpointStats',
  type: 'object',
  description: 'Requests in steps of time, by what they are counted by.',
  additionalProperties: {
    type: 'array',
    items: {
      title: 'ExperienceRequestCount',
      type: 'object',
      description: 'Requests of a step of time.',
      properties: {
        time: {
          type: 'string',
          format: 'date-time',
          description: 'When the step begins.',
          example: '2026-06-13T04:00:00.000Z',
        },
        count: { type: 'integer', minimum: 0, description: 'How many requests came.', example: 12 },
      },
    },
  },
  example: { 200: [{ time: '2026-06-13T04:00:00.000Z', count: 12 }] },
};
