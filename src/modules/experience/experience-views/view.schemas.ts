import type { JsonSchema } from '../../../platform/fields/fields.js';

export const VIEW_TYPES = ['layout', 'page', 'component'] as const;
export type ViewType = (typeof VIEW_TYPES)[number];

export const VIEW_HEADERS: JsonSchema = {
  title: 'ExperienceViewHeaders',
  type: 'object',
  additionalProperties: false,
  description: 'Headers of responses with a view.',
  properties: {
    'content-type': {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'Media type of the response.',
      example: 'text/html; charset=utf-8',
    },
  },
};

export const VIEW_TAGS: JsonSchema = {
  type: 'object',
  maxProperties: 100,
  additionalProperties: { type: 'string', minLength: 1, maxLength: 255 },
};
