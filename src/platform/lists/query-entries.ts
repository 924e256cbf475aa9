import { isObject } from '../../lib/json/json.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../fields/fields.js';
import { inspect } from '../server/read-body.js';
import { clip, every, not, some, type Bind } from './query-operators.js';

const NAME_PATTERN = '^[0-9a-zA-Z_-]{1,255}$';
const NAME = new RegExp(NAME_PATTERN);
const ID = new RegExp(ID_PATTERN);
const MAX_TYPE_LENGTH = 255;
const MAX_VALUE_LENGTH = 1024;

/** `triggers` have a type, a key and a configuration; `nodes` have no key. */
export type EntriesKind = 'triggers' | 'nodes';

/**
 * Compiles the condition that a `jsonb` array of triggers or nodes has an entry that matches `{"type": …, "key": …,
 * "config": {…}}`. `type` is required. The pattern is either in `$eq` or `$ne`, or used directly. Throws a
 * `ValidationError`.
 */
export function compileEntries(
  column: string,
  kind: EntriesKind,
  value: unknown,
  path: string,
  bind: Bind,
): string {
  const names = isObject(value) ? Object.keys(value) : [];
  const [operator] = names;
  if (!isObject(value) || names.length !== 1 || (operator !== '$eq' && operator !== '$ne'))
    return hasEntry(column, kind, value, path, bind);
  const condition = hasEntry(column, kind, value[operator], `${path}.${operator}`, bind);
  return operator === '$ne' ? not(condition) : condition;
}

function hasEntry(column: string, kind: EntriesKind, asked: unknown, path: string, bind: Bind): string {
  if (!isObject(asked)) throw new ValidationError(`${path} must be an object with a type`);
  const known = kind === 'triggers' ? ['type', 'key', 'config'] : ['type', 'config'];
  const unknown = Object.keys(asked).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ValidationError(
      `${path}.${clip(unknown)} is not a property of a ${kind === 'triggers' ? 'trigger' : 'node'}`,
    );
  inspect(asked, path);
  const { type, key, config = {} } = asked;
  if (typeof type !== 'string' || type.length > MAX_TYPE_LENGTH)
    throw new ValidationError(`${path}.type must be a string of at most ${MAX_TYPE_LENGTH} characters`);
  if (key !== undefined && !(typeof key === 'string' && NAME.test(key)))
    throw new ValidationError(`${path}.key must be 1 to 255 letters, digits, _ and -`);
  if (!isObject(config)) throw new ValidationError(`${path}.config must be an object`);
  const members = Object.entries(config);
  for (const [name, value] of members) assertMember(name, value, `${path}.config.${clip(name)}`);
  const given = members.filter(([, value]) => value !== null);
  const entry = { type, ...(given.length ? { config: Object.fromEntries(given) } : {}) };
  const absent = members.filter(([, value]) => value === null).map(([name]) => name);
  const entries = withKey(entry, key);
  // Tests the whole array, which is twice as fast as testing its elements.
  const contained = some(entries.map((one) => `${column} @> ${bind(`[${one}]`, 'jsonb')}`));
  if (absent.length === 0) return contained;
  const tests = [
    `entry @> ANY(${bind(entries, 'jsonb[]')})`,
    ...absent.map((name) => `entry->'config'->>${bind(name, 'text')} IS NULL`),
  ];
  return every([
    contained,
    `EXISTS (SELECT FROM jsonb_array_elements(${column}) AS entry WHERE ${every(tests)})`,
  ]);
}

/** Returns the entry with its key as JSON. If the key is an ID, also returns it in lower case, as IDs are stored. */
export function withKey(entry: object, key: string | undefined): string[] {
  if (key === undefined) return [JSON.stringify(entry)];
  const keys = new Set([key, ID.test(key) ? key.toLowerCase() : key]);
  return [...keys].map((one) => JSON.stringify({ ...entry, key: one }));
}

function assertMember(name: string, value: unknown, path: string): void {
  if (!NAME.test(name)) throw new ValidationError(`${path} is not a valid name`);
  const isScalar = value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
  if (!isScalar) throw new ValidationError(`${path} must be a string, a number, a boolean or null`);
  if (typeof value === 'string' && value.length > MAX_VALUE_LENGTH)
    throw new ValidationError(`${path} must have at most ${MAX_VALUE_LENGTH} characters`);
}

/** Returns the schema of conditions on triggers or nodes, in the dialect of the document. */
export function entriesSchema(kind: EntriesKind): JsonSchema {
  const name = kind === 'triggers' ? 'Trigger' : 'Node';
  const type = kind === 'triggers' ? 'webhook' : 'DebugNode';
  const entry = {
    title: `${name}Pattern`,
    type: 'object',
    additionalProperties: false,
    required: ['type'],
    description: `Matches one of the ${kind} with all of these values.`,
    properties: {
      type: { type: 'string', maxLength: MAX_TYPE_LENGTH, description: 'Type of the entry.', example: type },
      ...(kind === 'triggers'
        ? {
            key: {
              type: 'string',
              pattern: NAME_PATTERN,
              description: 'Key of the trigger.',
              example: ID_EXAMPLE,
            },
          }
        : {}),
      config: {
        type: 'object',
        description:
          'Members of the `config` of the entry with their values: text of at most 1024 characters, a number, a boolean, or `null` for absent. Names are 1 to 255 letters, digits, `_` and `-`.',
        additionalProperties: {
          oneOf: [
            { type: 'string', maxLength: MAX_VALUE_LENGTH, nullable: true },
            { type: 'number' },
            { type: 'boolean' },
          ],
        },
      },
    },
  };
  const operators = {
    title: `${name}Operators`,
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    description: `Whether one of the ${kind} matches.`,
    properties: {
      $eq: { allOf: [entry], description: 'One entry matches.' },
      $ne: { allOf: [entry], description: 'No entry matches.' },
    },
  };
  return { description: `Condition on one of the \`${kind}\`.`, oneOf: [entry, operators] };
}
