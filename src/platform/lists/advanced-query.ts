import { ValidationError } from '../../lib/errors/errors.js';
import { isObject } from '../../lib/json/json.js';
import {
  clip,
  compileField,
  every,
  itemsOf,
  not,
  some,
  type Bind,
  type QueryField,
} from './query-operators.js';
import { compileEntries } from './query-entries.js';
import { MAX_JSON_LENGTH } from './query-json.js';
import { compileTags } from './query-tags.js';

/** Attributes that can be used in an advanced query, by name. */
export type QueryFields = Readonly<Record<string, QueryField>>;

export const MAX_QUERY_DEPTH = 8;
const MAX_CONDITIONS = 500;
/** JSON depth of the deepest query: an object and an array per level, and four levels for tags. */
const MAX_JSON_DEPTH = 2 * MAX_QUERY_DEPTH + 4;

/** An empty `$or` matches nothing: a program with an empty list of alternatives must not affect everything. */
const LOGICAL: ReadonlyMap<string, (conditions: readonly string[]) => string> = new Map([
  ['$and', every],
  ['$or', some],
  ['$nor', (conditions) => (conditions.length ? not(some(conditions)) : 'FALSE')],
]);

/**
 * Parses an advanced query from JSON text in a query string: an object of at most 32 KiB with at most 8 levels. Throws
 * a `ValidationError`; `called` is the name of the query in messages.
 */
export function parseAdvancedQuery(text: string, called = 'query'): object {
  if (Buffer.byteLength(text) > MAX_JSON_LENGTH)
    throw new ValidationError(`${called} must have at most ${MAX_JSON_LENGTH} bytes`);
  let query: unknown;
  try {
    query = JSON.parse(text);
  } catch {
    throw new ValidationError(`${called} must be valid JSON`);
  }
  if (!isObject(query)) throw new ValidationError(`${called} must be a JSON object`);
  assertDepth(query, called);
  return query;
}

/**
 * Compiles an advanced query to an SQL condition, which is true, false or NULL for "no". Values are added to
 * `parameters` and appear in the text as `$n`; no other input of the caller does. All members of an object must match;
 * `{}` always matches. Throws a `ValidationError` that starts with the path of the invalid part, such as
 * `query.$or.1.name`; `called` is the name of the query.
 */
export function compileAdvancedQuery(
  query: unknown,
  fields: QueryFields,
  parameters: unknown[],
  called = 'query',
): string {
  const bind: Bind = (value, type) => `$${parameters.push(value)}::${type}`;
  let conditions = 0;

  function compile(part: unknown, path: string, depth: number): string {
    if (!isObject(part)) throw new ValidationError(`${path} must be an object`);
    if (depth > MAX_QUERY_DEPTH)
      throw new ValidationError(`${path} is nested more than ${MAX_QUERY_DEPTH} levels deep`);
    return every(
      Object.entries(part).map(([name, value]) => compileMember(name, value, `${path}.${clip(name)}`, depth)),
    );
  }

  function compileMember(name: string, value: unknown, path: string, depth: number): string {
    if (++conditions > MAX_CONDITIONS)
      throw new ValidationError(`${called} must have at most ${MAX_CONDITIONS} conditions`);
    const logical = LOGICAL.get(name);
    if (logical)
      return logical(itemsOf(value, path).map((part, i) => compile(part, `${path}.${i}`, depth + 1)));
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) throw new ValidationError(`${path} is not an attribute that can be queried`);
    switch (field.kind) {
      case 'tags':
        return compileTags(field, value, path, bind);
      case 'triggers':
      case 'nodes':
        return compileEntries(field.column, field.kind, value, path, bind);
      default:
        return compileField(field, value, path, bind);
    }
  }

  return compile(query, called, 1);
}

/**
 * Checks level by level, because text of 32 KiB can be nested too deeply for recursive functions such as validators.
 */
function assertDepth(query: unknown, called: string): void {
  let level: unknown[] = [query];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_JSON_DEPTH)
      throw new ValidationError(`${called} is nested more than ${MAX_QUERY_DEPTH} levels deep`);
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value as Record<string, unknown>) : [],
    );
  }
}
