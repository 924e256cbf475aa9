import { enumName } from '../fields/enum-name.js';
import type { JsonSchema } from '../fields/fields.js';
import type { QueryFields } from './advanced-query.js';
import { entriesSchema } from './query-entries.js';
import { kindOf, MAX_ITEMS, type QueryField } from './query-operators.js';
import { MAX_TAG_LENGTH } from './query-tags.js';

const DESCRIPTION = [
  'A JSON object of attributes and of `$and`, `$or` and `$nor`, which contain arrays of such objects. All members of an object must match; `{}` matches everything.',
  'An empty `$and` matches everything; an empty `$or` or `$nor` matches nothing.',
  'The condition on an attribute is a value, `null` for absent, or an object of operators that must all match.',
  '`$ne` and `$nin` also match if the value is absent.',
  '`$ci: true` makes the operators in the same object case-insensitive.',
  'If an attribute is an array, at least one element must match; `null` matches an empty array.',
  'Dates are milliseconds since 1970 or ISO 8601 text, in UTC unless an offset is given.',
  'Limits: 8 levels, 100 entries per array, 500 conditions and 32 KiB.',
].join(' ');

export const OPERATORS: Readonly<Record<string, string>> = {
  $eq: 'Equal to this value; `null` for absent.',
  $ne: 'Not equal to this value, or absent.',
  $gt: 'Greater or later than this value.',
  $gte: 'Greater than, later than or equal to this value.',
  $lt: 'Less or earlier than this value.',
  $lte: 'Less than, earlier than or equal to this value.',
  $in: 'Equal to one of these values.',
  $nin: 'Equal to none of these values, or absent.',
  $startsWith: 'Starts with this text.',
  $endsWith: 'Ends with this text.',
  $contains: 'Contains this text.',
  $ci: 'Whether the other operators ignore case.',
};

/**
 * Returns the strict schema of an advanced query over `fields`, in the dialect of the document. It refers to itself and
 * must therefore become the component `name`, which is its title.
 */
export function advancedQuerySchema(fields: QueryFields, name: string): JsonSchema {
  const nested = (description: string) => ({
    ...list({ $ref: `#/components/schemas/${name}` }),
    description,
  });
  const attributes = Object.entries(fields).map(([attribute, field]) => [
    attribute,
    attributeSchema(field, attribute, enumName(name, attribute)),
  ]);
  return {
    title: name,
    type: 'object',
    additionalProperties: false,
    description: DESCRIPTION,
    properties: {
      $and: nested('All of these queries match.'),
      $or: nested('At least one of these queries matches.'),
      $nor: nested('None of these queries match.'),
      ...Object.fromEntries(attributes),
    },
  };
}

function attributeSchema(field: QueryField, attribute: string, choice: string): JsonSchema {
  switch (field.kind) {
    case 'tags':
      return TAGS;
    case 'triggers':
    case 'nodes':
      return entriesSchema(field.kind);
    default:
      return fieldSchema(field, attribute, choice);
  }
}

/** `choice` is the name of the enum of the values, if the field has one. */
function fieldSchema(field: QueryField, attribute: string, choice: string): JsonSchema {
  const { name, operators, schemas, single } = kindOf(field);
  const exact = schemas.map((schema) =>
    field.values
      ? {
          type: schema.type,
          allOf: [{ title: choice, type: schema.type, enum: field.values }],
          example: field.values[0],
        }
      : schema,
  );
  const properties = operators.map((operator) => [
    operator,
    { ...operandSchema(operator, exact, schemas), description: OPERATORS[operator] },
  ]);
  const asked = {
    // Fields of the same kind share a component, except enumerations, which have different values.
    title: `${field.values ? choice : name}Operators`,
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    ...(single ? { maxProperties: 1 } : {}),
    description: 'Operators that must all match the value.',
    properties: Object.fromEntries(properties) as JsonSchema,
  };
  return { description: `Condition on the value of \`${attribute}\`.`, oneOf: [...orNull(exact), asked] };
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

/** Makes the first of the alternatives nullable. */
function orNull([first, ...rest]: readonly JsonSchema[]): JsonSchema[] {
  return [{ ...first, nullable: true }, ...rest];
}

function oneOf(schemas: readonly JsonSchema[]): JsonSchema {
  return schemas.length === 1 ? schemas[0]! : { oneOf: schemas };
}

function list(items: JsonSchema): JsonSchema {
  return { type: 'array', maxItems: MAX_ITEMS, items };
}

const TAG_TEXT = { type: 'string', maxLength: MAX_TAG_LENGTH, example: 'north' };
const TAG_PART = {
  oneOf: [
    { ...TAG_TEXT, nullable: true },
    {
      title: 'TagChoice',
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      description: 'Texts that are allowed or excluded.',
      properties: {
        $in: { ...list(TAG_TEXT), description: 'Equal to one of these texts.' },
        $nin: { ...list(TAG_TEXT), description: 'Equal to none of these texts.' },
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
    description: 'Matches tags by key, value or both.',
    properties: {
      $tagKey: { ...TAG_PART, description: 'Condition on the key of the tag.' },
      $tagValue: { ...TAG_PART, description: 'Condition on the value of the tag.' },
    },
  },
  {
    type: 'object',
    nullable: true,
    minProperties: 1,
    additionalProperties: TAG_PART,
    description: 'Conditions on tag values by key; `null` matches devices without tags.',
  },
];
const TAGS: JsonSchema = {
  description:
    'Condition on tags, with `$tagKey` and `$tagValue` or as `{"key": "value"}`. `null` as key or value means that no such tag exists.',
  anyOf: [
    ...TAG,
    {
      title: 'TagOperators',
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      description: 'Whether a matching tag exists.',
      properties: {
        $eq: { anyOf: TAG, description: 'A matching tag exists.' },
        $ne: { anyOf: TAG, description: 'No matching tag exists.' },
      },
    },
  ],
};
