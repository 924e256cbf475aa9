import type { JsonSchema } from '../fields.js';
import type { QueryFields } from './advanced-query.js';
import { kindOf, MOST_ITEMS, type QueryField } from './query-operators.js';
import { LONGEST_TAG } from './query-tags.js';

const DESCRIPTION = [
  'A JSON object of attributes and of `$and`, `$or` and `$nor`, which hold lists of such objects; all members of an object must hold, and `{}` matches everything.',
  'An empty `$and` matches everything, an empty `$or` or `$nor` nothing.',
  'An attribute is asked for by a value, `null` for absent, or by an object of operators that must all hold.',
  '`$ne` and `$nin` also match where the value is absent.',
  '`$ci: true` lets the operators beside it ignore upper and lower case.',
  'Of an attribute that is a list, one element must match; `null` matches an empty one.',
  'Dates are milliseconds since 1970 or ISO 8601 text, in UTC unless it has an offset.',
  'At most 8 levels, 100 entries in a list, 500 conditions and 32 KiB.',
].join(' ');

/**
 * The schema of an advanced query over `fields`, strict and in the dialect of the document. It refers to itself, so it
 * has to become the component `name`, as its title says.
 */
export function advancedQuerySchema(fields: QueryFields, name: string): JsonSchema {
  const nested = list({ $ref: `#/components/schemas/${name}` });
  const attributes = Object.entries(fields).map(([attribute, field]) => [
    attribute,
    field.kind === 'tags' ? TAGS : fieldSchema(field),
  ]);
  return {
    title: name,
    type: 'object',
    additionalProperties: false,
    description: DESCRIPTION,
    properties: { $and: nested, $or: nested, $nor: nested, ...Object.fromEntries(attributes) },
  };
}

function fieldSchema(field: QueryField): JsonSchema {
  const { operators, schemas, single } = kindOf(field);
  const exact = schemas.map((schema) => (field.values ? { ...schema, enum: field.values } : schema));
  const properties = operators.map((operator) => [operator, operandSchema(operator, exact, schemas)]);
  const asked = {
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    ...(single ? { maxProperties: 1 } : {}),
    properties: Object.fromEntries(properties) as JsonSchema,
  };
  return { oneOf: [...orNull(exact), asked] };
}

function operandSchema(
  operator: string,
  exact: readonly JsonSchema[],
  schemas: readonly JsonSchema[],
): JsonSchema {
  switch (operator) {
    case '$ci':
      return { type: 'boolean', default: false };
    case '$eq':
    case '$ne':
      return oneOf(orNull(exact));
    case '$in':
    case '$nin':
      return list(oneOf(exact));
    case '$startsWith':
    case '$endsWith':
    case '$contains':
      return { type: 'string', minLength: 1 };
    default:
      return oneOf(schemas);
  }
}

/** The same forms, the first of which may also be `null`. */
function orNull([first, ...rest]: readonly JsonSchema[]): JsonSchema[] {
  const values = first!.enum as readonly string[] | undefined;
  return [{ ...first, nullable: true, ...(values ? { enum: [...values, null] } : {}) }, ...rest];
}

function oneOf(schemas: readonly JsonSchema[]): JsonSchema {
  return schemas.length === 1 ? schemas[0]! : { oneOf: schemas };
}

function list(items: JsonSchema): JsonSchema {
  return { type: 'array', maxItems: MOST_ITEMS, items };
}

const TAG_TEXT = { type: 'string', maxLength: LONGEST_TAG };
const TAG_PART = {
  oneOf: [
    { ...TAG_TEXT, nullable: true },
    {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      properties: { $in: list(TAG_TEXT), $nin: list(TAG_TEXT) },
    },
  ],
};
const TAG: readonly JsonSchema[] = [
  {
    type: 'object',
    nullable: true,
    additionalProperties: false,
    minProperties: 1,
    properties: { $tagKey: TAG_PART, $tagValue: TAG_PART },
  },
  { type: 'object', minProperties: 1, additionalProperties: TAG_PART },
];
const TAGS: JsonSchema = {
  description:
    'A tag, by `$tagKey` and `$tagValue` or as `{"key": "value"}`; with `null` in its place, no such tag.',
  anyOf: [
    ...TAG,
    {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      properties: { $eq: { anyOf: TAG }, $ne: { anyOf: TAG } },
    },
  ],
};
