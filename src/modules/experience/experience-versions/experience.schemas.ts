import { ID_EXAMPLE, ID_PATTERN, type JsonSchema, NAME_PATTERN } from '../../../platform/fields/fields.js';

/** Response if no workflow replies: a view or a redirect. */
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
  description: 'Response if no workflow replies.',
  properties: {
    type: {
      type: 'string',
      enum: ['page', 'redirect'],
      description: 'Whether to respond with a view or a redirect.',
    },
    value: {
      type: 'string',
      maxLength: 32767,
      description: 'ID of the view, or target of the redirect.',
      example: ID_EXAMPLE,
    },
    statusCode: {
      type: 'integer',
      minimum: 100,
      maximum: 599,
      description: 'HTTP status of the response.',
      example: 404,
    },
  },
};

/** A reply that can be removed with `null`. */
export const REPLY_OR_NONE: JsonSchema = {
  type: 'object',
  nullable: true,
  oneOf: [REPLY],
};

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
      key: {
        type: 'string',
        pattern: NAME_PATTERN,
        description: 'Key of the global, unique within the version.',
        example: 'region',
      },
      description: {
        type: 'string',
        maxLength: 1024,
        description: 'Free-text description of the global.',
        example: 'Location of the pumps',
      },
      json: {
        type: 'string',
        minLength: 1,
        maxLength: 32767,
        description: 'Value as text that contains a JSON document.',
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

/** Schema of the resources that point to a version: `name` is the property shown with the ID. */
export const attached = (name: string, title: string, example: string): JsonSchema => ({
  type: 'array',
  items: {
    title,
    type: 'object',
    additionalProperties: false,
    required: ['id', name],
    description: 'A domain or slug that points to a version.',
    properties: {
      id: {
        type: 'string',
        pattern: ID_PATTERN,
        description: 'ID of the resource, 24 hexadecimal digits.',
        example: ID_EXAMPLE,
      },
      [name]: { type: 'string', description: 'Name of the domain or slug.', example },
    },
  },
});
