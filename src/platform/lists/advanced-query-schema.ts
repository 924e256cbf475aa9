import type { JsonSchema } from '../fields/fields.js';
import type { QueryFields } from './advanced-query.js';
import { entriesSchema } from './query-entries.js';
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

export const OPERATORS: Readonly<Record<string, string>> = {
  $eq: 'Equal to this; `null` for absent.',
  $ne: 'Not equal to this, or absent.',
  $gt: 'Greater than this, or later.',
  $gte: 'As `$gt`, or equal.',
  $lt: 'Less than this, or earlier.',
  $lte: 'As `$lt`, or equal.',
  $in: 'One of these.',
  $nin: 'None of these, or absent.',
  $startsWith: 'Text that begins so.',
  $endsWith: 'Text that ends so.',
  $contains: 'Text that has this in it.',
  $ci: 'Whether upper and lower case are the same.',
};

/**
 * The schema of an advanced query over `fields`, strict and in the dialect of the document. It refers to itself, so it
 * has to become the component `name`, as its title says.
 */
export function advancedQuerySchema(fields: QueryFields, name: string): JsonSchema {
  const nested = (description: string) => ({
    ...list({ $ref: `#/components/schemas/${name}` }),
    description,
  });
  const attributes = Object.entries(fields).map(([attribute, field]) => [
    attribute,
    attributeSchema(field, attribute),
  ]);
  return {
    title: name,
    type: 'object',
    additionalProperties: false,
    description: DESCRIPTION,
    properties: {
      $and: nested('All of these hold.'),
      $or: nested('One of these holds.'),
      $nor: nested('None of these holds.'),
      ...Object.fromEntries(attributes),
    },
  };
}

function attributeSchema(field: QueryField, attribute: string): JsonSchema {
  switch (field.kind) {
    case 'tags':
      return TAGS;
    case 'triggers':
    case 'nodes':
      return entriesSchema(field.kind);
    default:
      return fieldSchema(field, attribute);
  }
}

function fieldSchema(field: QueryField, attribute: string): JsonSchema {
  const { name, operators, schemas, single } = kindOf(field);
  const exact = schemas.map((schema) =>
    field.values ? { ...schema, enum: field.values, example: field.values[0] } : schema,
  );
  const properties = operators.map((operator) => [
    operator,
    { ...operandSchema(operator, exact, schemas), description: OPERATORS[operator] },
  ]);
  const asked = {
    // Fields of a kind share one component; the values of a choice are its own.
    title: `${field.values ? capitalized(attribute) : name}Operators`,
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    ...(single ? { maxProperties: 1 } : {}),
    description: 'What is asked of a value: all that is given must hold.',
    properties: Object.fromEntries(properties) as JsonSchema,
  };
  return { description: `What \`${attribute}\` is.`, oneOf: [...orNull(exact), asked] };
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
      return { type: 'string', minLength: 1, example: 'pump' };
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

const capitalized = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`;

const TAG_TEXT = { type: 'string', maxLength: LONGEST_TAG, example: 'north' };
const TAG_PART = {
  oneOf: [
    { ...TAG_TEXT, nullable: true },
    {
      title: 'TagChoice',
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      description: 'Some texts, or all others.',
      properties: {
        $in: { ...list(TAG_TEXT), description: 'One of these.' },
        $nin: { ...list(TAG_TEXT), description: 'None of these.' },
      },
    },
  ],
};
const TAG: readonly JsonSchema[] = [
  {
    title: 'TagParts',
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    description: 'A tag by its key, its value or both.',
    properties: {
      $tagKey: { ...TAG_PART, description: 'Its key.' },
      $tagValue: { ...TAG_PART, description: 'Its value.' },
    },
  },
  {
    type: 'object',
    nullable: true,
    minProperties: 1,
    additionalProperties: TAG_PART,
    description: 'Tags by their keys; `null` for none at all.',
  },
];
const TAGS: JsonSchema = {
  description:
    'A tag, by `$tagKey` and `$tagValue` or as `{"key": "value"}`; with `null` in its place, no such tag.',
  anyOf: [
    ...TAG,
    {
      title: 'TagOperators',
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      description: 'Whether there is such a tag.',
      properties: {
        $eq: { anyOf: TAG, description: 'There is.' },
        $ne: { anyOf: TAG, description: 'There is none.' },
      },
    },
  ],
};
