import type { JsonSchema } from '../fields.js';
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
