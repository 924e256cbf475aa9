import { isObject } from '../../lib/json/json.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../fields/fields.js';
import { inspectText } from '../server/read-body.js';
import { escapeLike } from './glob.js';

/**
 * `strings` and `ids` are columns of type `text[]`. `tags` is a `jsonb` array of `{key, value}`. `triggers` and `nodes`
 * are `jsonb` arrays of parts of workflows.
 */
export type QueryFieldKind = ScalarKind | ListKind | StructuredKind;
/** Kinds with a separate syntax for their values. */
export type StructuredKind = 'tags' | 'triggers' | 'nodes';
export type ScalarKind = 'string' | 'id' | 'date' | 'boolean' | 'number';
type ListKind = 'strings' | 'ids';

/** An attribute that can be used in an advanced query. */
export interface QueryField {
  kind: QueryFieldKind;
  /** Trusted SQL expression of the value. */
  column: string;
  /**
   * `true` if `column` is a SELECT of the elements of a list instead: as `element`, or for tags as `key` and `value`.
   */
  rows?: true;
  /**
   * Returns SQL that tests whether an element is in the SQL array `items`, if this is faster than testing each element.
   */
  holdsOneOf?: (items: string) => string;
  /**
   * For lists: additional sufficient conditions for an element to match an operator. For `$eq` with `null`: sufficient
   * conditions for the list to have an element.
   */
  others?: (operator: string, operand: unknown) => readonly string[];
  /** Possible values; any other value in a query is an error. */
  values?: readonly string[];
}

/** Adds a value to the parameters of the statement and returns its placeholder, cast to a PostgreSQL type. */
export type Bind = (value: unknown, type: string) => string;

/** Properties of the values of a kind, with their operators. */
interface Kind {
  /** Name in the schemas of the document. */
  name: string;
  /** PostgreSQL type of the values. */
  type: string;
  operators: readonly string[];
  /** Description of valid values, which ends an error message. */
  expected: string;
  /** Converts a value for binding; returns `undefined` if it is invalid. */
  read: (value: unknown) => unknown;
  /** Schemas of a value in the document. */
  schemas: readonly JsonSchema[];
}

export const MAX_ITEMS = 100;

const EQUALITY = ['$eq', '$ne', '$in', '$nin'];
const ORDERED = [...EQUALITY, '$gt', '$gte', '$lt', '$lte'];
const TEXTUAL = [...ORDERED, '$startsWith', '$endsWith', '$contains', '$ci'];

/** Negative operators, which match if the positive operator does not, including absent values. */
const NEGATIONS: ReadonlyMap<string, string> = new Map([
  ['$ne', '$eq'],
  ['$nin', '$in'],
]);
const SQL_OPERATORS: ReadonlyMap<string, string> = new Map([
  ['$eq', '='],
  ['$gt', '>'],
  ['$gte', '>='],
  ['$lt', '<'],
  ['$lte', '<='],
]);
const PATTERNS: ReadonlyMap<string, (text: string) => string> = new Map([
  ['$startsWith', (text) => `${escapeLike(text)}%`],
  ['$endsWith', (text) => `%${escapeLike(text)}`],
  ['$contains', (text) => `%${escapeLike(text)}%`],
]);

const ID = new RegExp(ID_PATTERN);
const DATE_PATTERN = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})?)?$';
const DATE = new RegExp(DATE_PATTERN);
const MIN_DATE = Date.parse('0001-01-01T00:00:00.000Z');
const MAX_DATE = Date.parse('9999-12-31T23:59:59.999Z');

const KINDS: Readonly<Record<ScalarKind, Kind>> = {
  string: {
    name: 'Text',
    type: 'text',
    operators: TEXTUAL,
    expected: 'a string',
    read: (value) => (typeof value === 'string' ? value : undefined),
    schemas: [{ type: 'string', example: 'North pump' }],
  },
  id: {
    name: 'Id',
    type: 'text',
    operators: ORDERED,
    expected: 'an ID of 24 hexadecimal digits',
    read: (value) => (typeof value === 'string' && ID.test(value) ? value.toLowerCase() : undefined),
    schemas: [{ type: 'string', pattern: ID_PATTERN, example: ID_EXAMPLE }],
  },
  date: {
    name: 'Date',
    type: 'timestamptz',
    operators: ORDERED,
    expected: 'a date: milliseconds since 1970 or ISO 8601 text',
    read: readDate,
    schemas: [{ type: 'integer' }, { type: 'string', pattern: DATE_PATTERN }],
  },
  boolean: {
    name: 'Boolean',
    type: 'boolean',
    operators: EQUALITY,
    expected: 'true or false',
    read: (value) => (typeof value === 'boolean' ? value : undefined),
    schemas: [{ type: 'boolean' }],
  },
  number: {
    name: 'Number',
    type: 'numeric',
    operators: ORDERED,
    expected: 'a number',
    read: (value) => (Number.isFinite(value) ? value : undefined),
    schemas: [{ type: 'number', example: 7 }],
  },
};

const isStructured = (kind: QueryFieldKind): kind is StructuredKind =>
  kind === 'tags' || kind === 'triggers' || kind === 'nodes';

/** Returns the kind of a field or, for a list, of its elements. */
export function kindOf({ kind }: QueryField): Kind & { single: boolean } {
  if (isStructured(kind)) throw new Error(`${kind} have their own syntax`);
  const scalar = kind === 'strings' ? 'string' : kind === 'ids' ? 'id' : kind;
  // Queries on an ID use a single operator.
  return { ...KINDS[scalar], single: scalar === 'id' };
}

/** A condition that a field, or an element of it, matches an operator. */
interface Comparison {
  field: QueryField;
  operator: string;
  operand: unknown;
  ignoreCase: boolean;
  /** Path of the condition in the query. */
  path: string;
}

/**
 * Compiles the condition that a field matches a value, or an object of operators that must all match. A list matches if
 * one of its elements does, and `null` if it is empty. Throws a `ValidationError`.
 */
export function compileField(field: QueryField, value: unknown, path: string, bind: Bind): string {
  if (!isObject(value))
    return compileComparison({ field, operator: '$eq', operand: value, ignoreCase: false, path }, bind);
  const { operators, single } = kindOf(field);
  const names = Object.keys(value);
  const unknown = names.find((name) => !operators.includes(name));
  if (unknown !== undefined)
    throw new ValidationError(`${path}.${clip(unknown)} is not an operator of this attribute`);
  const { $ci: ignoreCase = false } = value;
  if (typeof ignoreCase !== 'boolean') throw new ValidationError(`${path}.$ci must be true or false`);
  const asked = names.filter((name) => name !== '$ci');
  if (asked.length === 0) throw new ValidationError(`${path} must have an operator`);
  if (single && asked.length > 1) throw new ValidationError(`${path} must have exactly one operator`);
  return every(
    asked.map((operator) =>
      compileComparison(
        { field, operator, operand: value[operator], ignoreCase, path: `${path}.${operator}` },
        bind,
      ),
    ),
  );
}

function compileComparison(comparison: Comparison, bind: Bind): string {
  const { field, operator, operand } = comparison;
  const positive = NEGATIONS.get(operator);
  if (positive !== undefined) return not(compileComparison({ ...comparison, operator: positive }, bind));
  const isList = field.kind === 'strings' || field.kind === 'ids';
  if (operator === '$eq' && operand === null) {
    if (field.rows) return not(some([`EXISTS (${field.column})`, ...othersOf(comparison)]));
    return isList ? `coalesce(cardinality(${field.column}), 0) = 0` : `${field.column} IS NULL`;
  }
  return isList
    ? some([compileElement(comparison, bind), ...othersOf(comparison)])
    : compare(field.column, comparison, bind);
}

/** Compiles the condition that an element of a list matches an operator. */
function compileElement(comparison: Comparison, bind: Bind): string {
  const { field, operator } = comparison;
  if (field.holdsOneOf && (operator === '$eq' || operator === '$in'))
    return field.holdsOneOf(bind(operandsOf(comparison), `${kindOf(field).type}[]`));
  const elements = field.rows ? `(${field.column}) AS list` : `unnest(${field.column}) AS element`;
  return `EXISTS (SELECT FROM ${elements} WHERE ${compare('element', comparison, bind)})`;
}

const othersOf = ({ field, operator, operand }: Comparison): readonly string[] =>
  field.others?.(operator, operand) ?? [];

/** Returns the values of `$eq` or `$in`. */
function operandsOf(comparison: Comparison): unknown[] {
  const { operator, operand, path } = comparison;
  if (operator === '$eq') return [readOperand(comparison)];
  return itemsOf(operand, path).map((item, i) =>
    readOperand({ ...comparison, operand: item, path: `${path}.${i}` }),
  );
}

/** Compiles the condition that the value of an SQL expression matches an operator. */
function compare(subject: string, comparison: Comparison, bind: Bind): string {
  const { field, operator, ignoreCase } = comparison;
  const { type } = kindOf(field);
  // The collation of the column may not define case.
  const lower = (sql: string) => `lower((${sql}) COLLATE "default")`;
  const fold = (sql: string) => (ignoreCase ? lower(sql) : sql);
  if (operator === '$in') {
    const list = bind(operandsOf(comparison), `${type}[]`);
    return `${fold(subject)} = ANY(${ignoreCase ? `ARRAY(SELECT ${lower('item')} FROM unnest(${list}) AS item)` : list})`;
  }
  const value = readOperand(comparison);
  const pattern = PATTERNS.get(operator);
  if (pattern) return `${fold(subject)} LIKE ${fold(bind(pattern(value as string), type))} ESCAPE '\\'`;
  return `${fold(subject)} ${SQL_OPERATORS.get(operator)} ${fold(bind(value, type))}`;
}

/** Converts an operand for binding. Throws a `ValidationError` if it is not a valid value of the field. */
function readOperand({ field, operator, operand, path }: Comparison): unknown {
  const { read, expected } = kindOf(field);
  if (typeof operand === 'string') inspectText(operand, path);
  const value = read(operand);
  if (value === undefined) throw new ValidationError(`${path} must be ${expected}`);
  if (PATTERNS.has(operator) && value === '') throw new ValidationError(`${path} must not be empty`);
  if (field.values && EQUALITY.includes(operator) && !field.values.includes(value as string)) {
    throw new ValidationError(`${path} must be one of ${field.values.join(', ')}`);
  }
  return value;
}

/** Returns the time as ISO 8601 text in UTC, within the years 1 to 9999. Text without an offset is in UTC. */
function readDate(value: unknown): string | undefined {
  const time = typeof value === 'string' ? timeOf(value) : Number.isInteger(value) ? (value as number) : NaN;
  return time >= MIN_DATE && time <= MAX_DATE ? new Date(time).toISOString() : undefined;
}

function timeOf(text: string): number {
  const zone = DATE.exec(text)?.[4];
  const day = text.slice(0, 10);
  // Date.parse accepts February 30 and returns March 2.
  const exists =
    DATE.test(text) && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
  return exists ? Date.parse(text.length > 10 && !zone ? `${text}Z` : text) : NaN;
}

/** Validates a list of up to 100 items. */
export function itemsOf(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw new ValidationError(`${path} must be a list`);
  if (value.length > MAX_ITEMS) throw new ValidationError(`${path} must have at most ${MAX_ITEMS} items`);
  return value;
}

/** Shortens a name from the caller for use in a message. */
export function clip(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}

/** Joins conditions with AND; true for no conditions. */
export function every(conditions: readonly string[]): string {
  return joined(conditions, ' AND ', 'TRUE');
}

/** Joins conditions with OR; false for no conditions. */
export function some(conditions: readonly string[]): string {
  return joined(conditions, ' OR ', 'FALSE');
}

/** Negates a condition; true also if the condition is NULL in SQL because a value is absent. */
export function not(condition: string): string {
  return `((${condition}) IS NOT TRUE)`;
}

function joined(conditions: readonly string[], operator: string, none: string): string {
  const [first = none] = conditions;
  return conditions.length > 1 ? `(${conditions.join(operator)})` : first;
}
