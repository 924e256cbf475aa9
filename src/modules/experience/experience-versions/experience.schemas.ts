import { ID_EXAMPLE, ID_PATTERN, type JsonSchema, NAME_PATTERN } from '../../../platform/fields/fields.js';

/** What is answered where no workflow does: a view, or another address. */
export interface ExperienceReply {
  type: 'page' | 'redirect';
  value: string;
  statusCode?: number;
}

/** A value that every workflow of an experience can read. */
export interface ExperienceGlobal {
  key: string;
  json: string;
  description?: string;
}

export const REPLY: JsonSchema = {
  title: 'ExperienceReply',
  type: 'object',
  additionalProperties: false,
  required: ['type', 'value'],
  description: 'What is answered where no workflow does.',
  properties: {
    type: { type: 'string', enum: ['page', 'redirect'], description: 'A view, or another address.' },
    value: {
      type: 'string',
      maxLength: 32767,
      description: 'The id of the view, or the address.',
      example: ID_EXAMPLE,
    },
    statusCode: {
      type: 'integer',
      minimum: 100,
      maximum: 599,
      description: 'The status of the answer.',
      example: 404,
    },
  },
};

/** A reply that a body may take away again. */
export const REPLY_OR_NONE: JsonSchema = { oneOf: [REPLY, { type: 'object', nullable: true, enum: [null] }] };

export const EXPERIENCE_GLOBALS: JsonSchema = {
  type: 'array',
  maxItems: 100,
  items: {
    title: 'ExperienceGlobal',
    type: 'object',
    additionalProperties: false,
    required: ['key', 'json'],
    description: 'A value that every workflow of the experience can read.',
    properties: {
      key: { type: 'string', pattern: NAME_PATTERN, description: 'Its name.', example: 'region' },
      description: {
        type: 'string',
        maxLength: 1024,
        description: 'What it is for.',
        example: 'Where the pumps stand',
      },
      json: {
        type: 'string',
        minLength: 1,
        maxLength: 32767,
        description: 'Its value: a JSON document as text.',
        example: '"eu"',
      },
    },
  },
};

export const CORS_ORIGINS: JsonSchema = {
  type: 'array',
  maxItems: 100,
  items: { type: 'string', minLength: 8, maxLength: 270 },
};

export const RESPONSE_HEADERS: JsonSchema = {
  type: 'object',
  maxProperties: 10,
  additionalProperties: { type: 'string', minLength: 1, maxLength: 1024 },
};

/** What points at a version: `name` is what a member of the list shows beside the id. */
export const attached = (name: string, title: string, example: string): JsonSchema => ({
  type: 'array',
  items: {
    title,
    type: 'object',
    additionalProperties: false,
    required: ['id', name],
    description: 'What points at a version.',
    properties: {
      id: {
        type: 'string',
        pattern: ID_PATTERN,
        description: 'The id, 24 hexadecimal digits.',
        example: ID_EXAMPLE,
      },
      [name]: { type: 'string', description: 'What stands in the address.', example },
    },
  },
});
