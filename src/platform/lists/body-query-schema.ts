import type { JsonSchema } from '../fields/fields.js';
import type { QueryFields } from './advanced-query.js';
import { advancedQuerySchema, OPERATORS } from './advanced-query-schema.js';
import { MAX_ITEMS } from './query-operators.js';

const TEXT = { type: 'string', example: 'pump' };
const VALUES = [TEXT, { type: 'number' }, { type: 'boolean' }];
const VALUES_OR_NULL = [{ ...TEXT, nullable: true }, ...VALUES.slice(1)];

const QUERY_SCHEMA: JsonSchema = {
  title: 'AnyOperators',
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  description: 'Operators that must all match the value.',
  properties: Object.fromEntries(
    Object.entries(OPERATORS).map(([operator, description]) => [
      operator,
      { ...operandSchema(operator), description },
    ]),
  ),
};

/**
 * Returns the schema of an advanced query in a body. Accepts all operators and plain values for each attribute;
 * `compileAdvancedQuery` rejects unsuitable ones with a more precise message than a schema of alternatives.
 */
export function bodyQuerySchema(fields: QueryFields, name: string): JsonSchema {
  const { properties, ...schema } = advancedQuerySchema(fields, name);
  const open = Object.entries(fields).flatMap(([attribute, { kind }]) =>
    kind === 'string' || kind === 'strings' || kind === 'date' || kind === 'boolean' || kind === 'number'
      ? [
          [
            attribute,
            {
              description: `Condition on the value of \`${attribute}\`.`,
              oneOf: [...VALUES_OR_NULL, QUERY_SCHEMA],
            },
          ],
        ]
      : [],
  );
  return { ...schema, properties: { ...(properties as object), ...Object.fromEntries(open) } };
}

/**
 * Works like `bodyQuerySchema` if the attributes are only known at run time, such as columns of a table; `attribute`
 * describes their names. The empty query has a separate schema, because OpenAPI cannot otherwise restrict property
 * names.
 */
export function openQuerySchema(name: string, attribute: string): JsonSchema {
  const { description, properties } = advancedQuerySchema({}, name);
  return {
    title: name,
    description,
    oneOf: [
      {
        title: `${name}Conditions`,
        type: 'object',
        minProperties: 1,
        description: 'Conditions that must all match.',
        properties,
        additionalProperties: { description: attribute, oneOf: [...VALUES_OR_NULL, QUERY_SCHEMA] },
      },
      {
        title: `${name}Everything`,
        type: 'object',
        maxProperties: 0,
        additionalProperties: false,
        description: 'The empty query, which matches everything.',
      },
    ],
  };
}

function operandSchema(operator: string): JsonSchema {
  switch (operator) {
    case '$ci':
      return { type: 'boolean' };
    case '$in':
    case '$nin':
      return { type: 'array', maxItems: MAX_ITEMS, items: { oneOf: VALUES } };
    case '$startsWith':
    case '$endsWith':
    case '$contains':
      return { ...TEXT, minLength: 1 };
    default:
      return { oneOf: VALUES_OR_NULL };
  }
}
