import { ValidationError } from '../../lib/errors/errors.js';
import { ID_PATTERN, type JsonSchema } from '../fields/fields.js';
import { inspectText } from '../server/read-body.js';
import { compileAdvancedQuery, parseAdvancedQuery, type QueryFields } from './advanced-query.js';

export type SortDirection = 'asc' | 'desc';

/** Parameters that a list supports. */
export interface ListSpec {
  sort: readonly string[];
  defaultSort: string;
  defaultDirection: SortDirection;
  /** Default page size; absent for lists without pagination. */
  perPage?: number;
  /** Fields that can be filtered. A filter without a field applies to the first one. */
  filter?: readonly string[];
  /** Advanced query of the list, if supported: name of its schema, attributes and an example. */
  query?: { name: string; fields: QueryFields; example: object };
}

/**
 * Parsed parameters of a list. `filterField` and `filter` are either both present or both absent. `page` and `perPage`
 * are 0 for lists without pagination.
 */
export interface ListParameters {
  sortField: string;
  sortDirection: SortDirection;
  page: number;
  perPage: number;
  filterField?: string;
  filter?: string;
  /** Advanced query, which replaces the filter. Returns SQL and adds its values to those of the statement. */
  condition?: (values: unknown[]) => string;
  /** The advanced query as requested. */
  query?: unknown;
}

/** An advanced query as requested, with its compiled condition. */
export interface RequestedQuery {
  condition: (values: unknown[]) => string;
  query: object;
}

const MAX_PER_PAGE = 1000;
const MAX_FILTER_LENGTH = 255;
const MAX_ENTRIES = 100;
const DIRECTIONS = ['asc', 'desc', 'ASC', 'DESC'] as const;
/** Sort direction in requests and in responses, which contain lower case. */
export const SORT_DIRECTION = {
  title: 'SortDirection',
  type: 'string',
  enum: DIRECTIONS,
} as const satisfies JsonSchema;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
const ID = new RegExp(ID_PATTERN);
/** Latest time that can be stored and returned, in milliseconds since 1970. */
export const MAX_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses the parameters of a list from a parsed query string. Absent and blank ones take their defaults; parameters
 * that `spec` does not support are ignored. Throws a `ValidationError` that names the first invalid parameter.
 */
export function parseListParameters(
  query: Readonly<Record<string, unknown>>,
  spec: ListSpec,
): ListParameters {
  const { perPage } = spec;
  return {
    sortField: parseChoice('sortField', query.sortField, spec.sort, spec.defaultSort),
    sortDirection: parseSortDirection(query.sortDirection, spec.defaultDirection),
    page: perPage === undefined ? 0 : parsePage(query.page),
    perPage: perPage === undefined ? 0 : parsePerPage(query.perPage, perPage),
    ...(parseCondition(query.query, spec) ?? parseFilter(query, spec.filter)),
  };
}

/** Parses a page number, starting at 0. */
export function parsePage(value: unknown): number {
  return parseInteger('page', value, 0, 999_999_999, 0);
}

/** Parses a page size from 1 to 1000. */
export function parsePerPage(value: unknown, fallback: number): number {
  return parseInteger('perPage', value, 1, MAX_PER_PAGE, fallback);
}

/** Parses `true`, `false`, `1` or `0`, ignoring case, because published clients send `True`. */
export function parseBoolean(name: string, value: unknown, fallback: boolean): boolean {
  const text = textOf(name, value);
  if (text === '') return fallback;
  const read = BOOLEANS.get(text.toLowerCase());
  if (read === undefined) throw new ValidationError(`${name} must be true, false, 1 or 0`);
  return read;
}

/** Parses one of `choices`, case-sensitively. */
export function parseChoice<T extends string>(
  name: string,
  value: unknown,
  choices: readonly T[],
  fallback: T,
): T {
  const text = textOf(name, value);
  if (text === '') return fallback;
  const choice = choices.find((known) => known === text);
  if (choice === undefined) throw new ValidationError(`${name} must be one of ${choices.join(', ')}`);
  return choice;
}

/** Parses `asc` or `desc`, also in upper case. */
export function parseSortDirection(value: unknown, fallback: SortDirection): SortDirection {
  return parseChoice('sortDirection', value, DIRECTIONS, fallback).toLowerCase() as SortDirection;
}

/** Parses an ID of 24 hexadecimal digits and returns it in lower case. */
export function parseId(name: string, value: unknown): string {
  const text = textOf(name, value);
  if (!ID.test(text)) throw new ValidationError(`${name} must be 24 hexadecimal digits`);
  return text.toLowerCase();
}

/** Parses a time in milliseconds since 1970; returns `undefined` for absent and blank values. */
export function parseTime(name: string, value: unknown): Date | undefined {
  const text = textOf(name, value);
  if (text === '') return undefined;
  const time = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (time <= MAX_TIME) return new Date(time);
  throw new ValidationError(`${name} must be an integer, milliseconds since 1970`);
}

/** Parses up to 100 IDs, separated by commas. */
export function parseIdList(name: string, value: unknown): string[] {
  return parseNames(name, value).map((id) => parseId(name, id));
}

/** Parses up to 100 trimmed names, separated by commas. */
export function parseNames(name: string, value: unknown): string[] {
  const names = textOf(name, value)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (names.length > MAX_ENTRIES)
    throw new ValidationError(`${name} must have at most ${MAX_ENTRIES} entries`);
  return names;
}

function parseFilter(
  query: Readonly<Record<string, unknown>>,
  fields: readonly string[] = [],
): { filterField?: string; filter?: string } {
  const [first] = fields;
  if (first === undefined) return {};
  const filterField = parseChoice('filterField', query.filterField, fields, first);
  const filter = textOf('filter', query.filter);
  if (filter === '') return {};
  if (filter.length > MAX_FILTER_LENGTH)
    throw new ValidationError(`filter must have at most ${MAX_FILTER_LENGTH} characters`);
  inspectText(filter, 'filter');
  return { filterField, filter };
}

/** Parses an advanced query and its condition; returns `undefined` for absent and blank values. */
export function parseCondition(
  value: unknown,
  { query }: Pick<ListSpec, 'query'>,
): RequestedQuery | undefined {
  const text = query ? textOf('query', value) : '';
  if (!query || text === '') return undefined;
  const asked = parseAdvancedQuery(text);
  return { condition: (values) => compileAdvancedQuery(asked, query.fields, values), query: asked };
}

/** Parses an integer from `minimum` to `maximum`. */
export function parseInteger<Fallback extends number | undefined>(
  name: string,
  value: unknown,
  minimum: number,
  maximum: number,
  fallback: Fallback,
): number | Fallback {
  const text = textOf(name, value);
  if (text === '') return fallback;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (number >= minimum && number <= maximum) return number;
  throw new ValidationError(`${name} must be an integer from ${minimum} to ${maximum}`);
}

/** Returns the text of a parameter that can be given once; blank if absent. */
function textOf(name: string, value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') throw new ValidationError(`${name} must be a single string`);
  return value;
}
