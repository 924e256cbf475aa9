import { isObject } from '../../lib/json/json.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { inspectText } from '../server/read-body.js';
import { clip, every, itemsOf, not, type Bind, type QueryField } from './query-operators.js';

const KEY = /^[0-9a-zA-Z_-]{1,255}$/;
export const MAX_TAG_LENGTH = 255;

/** Condition on a part of a tag. */
interface Part {
  sql: string;
  operand: unknown;
  path: string;
}

/** Source of the tags of a field: its column, or the SELECT of their rows. */
type Tags = Pick<QueryField, 'column' | 'rows'>;

const KEY_SQL = 'tag.key';
const VALUE_SQL = 'tag.value';

/**
 * Compiles a condition on tags, which are a `jsonb` array of `{key, value}` or rows. The condition is `{"$tagKey": …,
 * "$tagValue": …}` with one or both parts, `{"<key>": …}`, or `null` for no tags, optionally in `$eq` or `$ne`. A part
 * is text, `{"$in": […]}`, `{"$nin": […]}`, or `null` to require that no such tag exists. Throws a `ValidationError`.
 */
export function compileTags(field: Tags, value: unknown, path: string, bind: Bind): string {
  const names = isObject(value) ? Object.keys(value) : [];
  const [operator] = names;
  if (!isObject(value) || names.length !== 1 || (operator !== '$eq' && operator !== '$ne')) {
    return hasTags(field, value, path, bind);
  }
  const condition = hasTags(field, value[operator], `${path}.${operator}`, bind);
  return operator === '$ne' ? not(condition) : condition;
}

function hasTags(field: Tags, tags: unknown, path: string, bind: Bind): string {
  if (tags === null) return not(hasTag(field, [], bind));
  if (!isObject(tags)) throw new ValidationError(`${path} must be a tag, as {"key": "value"}, or null`);
  const names = Object.keys(tags);
  if (names.length === 0) throw new ValidationError(`${path} must have a tag`);
  if (!names.some((name) => name.startsWith('$'))) {
    return every(names.map((name) => namedTag(field, name, tags[name], `${path}.${clip(name)}`, bind)));
  }
  const parts = names.map((name): Part => {
    const sql = name === '$tagKey' ? KEY_SQL : name === '$tagValue' ? VALUE_SQL : undefined;
    if (sql === undefined) throw new ValidationError(`${path}.${clip(name)} is not a property of a tag`);
    return { sql, operand: tags[name], path: `${path}.${name}` };
  });
  return hasTag(field, parts, bind);
}

function namedTag(field: Tags, key: string, operand: unknown, path: string, bind: Bind): string {
  if (!KEY.test(key)) throw new ValidationError(`${path} is not the key of a tag`);
  const parts = [
    { sql: KEY_SQL, operand: key, path },
    { sql: VALUE_SQL, operand, path },
  ];
  return hasTag(field, parts, bind);
}

/** Compiles the condition that a tag matches all parts or, if a part is `null`, that no tag matches the others. */
function hasTag(field: Tags, parts: readonly Part[], bind: Bind): string {
  const tests = parts.flatMap((part) => (part.operand === null ? [] : [partTest(part, bind)]));
  const { column, rows } = field;
  const all = rows ? `(${column}) AS tag` : `jsonb_to_recordset(${column}) AS tag (key text, value text)`;
  const found = `EXISTS (SELECT FROM ${all} WHERE ${every(tests)})`;
  return tests.length < parts.length ? not(found) : found;
}

function partTest({ sql, operand, path }: Part, bind: Bind): string {
  if (!isObject(operand)) return `${sql} = ${bind(textOf(operand, path), 'text')}`;
  const [operator = '', ...more] = Object.keys(operand);
  if (more.length > 0 || (operator !== '$in' && operator !== '$nin')) {
    throw new ValidationError(`${path} must be a string, null, {"$in": […]} or {"$nin": […]}`);
  }
  const items = itemsOf(operand[operator], `${path}.${operator}`).map((item, i) =>
    textOf(item, `${path}.${operator}.${i}`),
  );
  const isOne = `${sql} = ANY(${bind(items, 'text[]')})`;
  return operator === '$nin' ? not(isOne) : isOne;
}

function textOf(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new ValidationError(`${path} must be a string`);
  if (value.length > MAX_TAG_LENGTH)
    throw new ValidationError(`${path} must have at most ${MAX_TAG_LENGTH} characters`);
  inspectText(value, path);
  return value;
}
