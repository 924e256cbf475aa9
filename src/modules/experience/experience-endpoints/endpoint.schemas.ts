import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';

export const METHODS = ['delete', 'get', 'options', 'patch', 'post', 'put'] as const;
export const ACCESS_KINDS = ['public', 'authenticated', 'group', 'device'] as const;

export const GROUP_IDS: JsonSchema = {
  type: 'array',
  maxItems: 1000,
  items: { type: 'string', pattern: ID_PATTERN },
};

/** Groups in the response of an endpoint. */
export const ENDPOINT_GROUPS: JsonSchema = {
  type: 'array',
  items: {
    title: 'ExperienceEndpointGroup',
    type: 'object',
    description: 'An experience group whose users can access the endpoint.',
    properties: {
      id: {
        type: 'string',
        pattern: ID_PATTERN,
        description: 'ID of the experience group.',
        example: ID_EXAMPLE,
      },
      name: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'Name of the experience group.',
        example: 'Operators',
      },
    },
  },
};

/** Number of requests per time step, by value of the grouping. */
export const ENDPOINT_STATS: JsonSchema = {
  title: 'ExperienceEndpointStats',
  type: 'object',
  description: 'Number of requests per time step, by value of `statGrouping`.',
  additionalProperties: {
    type: 'array',
    items: {
      title: 'ExperienceRequestCount',
      type: 'object',
      description: 'Number of requests in a time step.',
      properties: {
        time: {
          type: 'string',
          format: 'date-time',
          description: 'Start of the time step.',
          example: '2026-06-13T04:00:00.000Z',
        },
        count: { type: 'integer', minimum: 0, description: 'Number of requests in the step.', example: 12 },
      },
    },
  },
  example: { 200: [{ time: '2026-06-13T04:00:00.000Z', count: 12 }] },
};
