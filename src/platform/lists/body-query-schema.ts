import type { JsonSchema } from '../fields/fields.js';
import type { QueryFields } from './advanced-query.js';
import { advancedQuerySchema, OPERATORS } from './advanced-query-schema.js';
import { MOST_ITEMS } from './query-operators.js';

const TEXT = { type: 'string', example: 'pump' };
const VALUES = [TEXT, { type: 'number' }, { type: 'boolean' }];
const VALUES_OR_NULL = [{ ...TEXT, nullable: true }, ...VALUES.slice(1)];

const ASKED: JsonSchema = {
  title: 'AnyOperators',
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  description: 'What is asked of a value: all that is given must hold.',
  properties: Object.fromEntries(
    Object.entries(OPERATORS).map(([operator, description]) => [
      operator,
      { ...operandSchema(operator), description },
    ]),
  ),
};

/**
 * The schema of an advanced query in a body. It lets every operator and every plain value through, whatever the attribute:
 * which of them an attribute takes is for `compileAdvancedQuery` to say, which names the very one at fault where a schema of
 * alternatives could not.
 */
export function bodyQuerySchema(fields: QueryFields, name: string): JsonSchema {
  const { properties, ...schema } = advancedQuerySchema(fields, name);
  const open = Object.entries(fields).flatMap(([attribute, { kind }]) =>
    kind === 'string' || kind === 'strings' || kind === 'date' || kind === 'boolean' || kind === 'number'
      ? [[attribute, { description: `What \`${attribute}\` is.`, oneOf: [...VALUES_OR_NULL, ASKED] }]]
      : [],
  );
  return { ...schema, properties: { ...(properties as object), ...Object.fromEntries(open) } };
}

/**
 * The same where only the thing that is asked knows its attributes, such as a table its columns: `attribute` says what their
 * names are. What is empty has a form of its own, as OpenAPI has no other words for names that are not just any.
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
        description: 'What must hold, all of it.',
        properties,
        additionalProperties: { description: attribute, oneOf: [...VALUES_OR_NULL, ASKED] },
      },
      {
        title: `${name}Everything`,
        type: 'object',
        maxProperties: 0,
        additionalProperties: false,
        description: 'Nothing has to hold.',
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
      return { type: 'array', maxItems: MOST_ITEMS, items: { oneOf: VALUES } };
    case '$startsWith':
    case '$endsWith':
    case '$contains':
      return { ...TEXT, minLength: 1 };
    default:
      return { oneOf: VALUES_OR_NULL };
  }
}
