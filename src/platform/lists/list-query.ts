import { ValidationError } from '../../lib/errors/errors.js';
import { ID_PATTERN } from '../fields/fields.js';
import { inspectText } from '../server/read-body.js';
import { compileAdvancedQuery, parseAdvancedQuery, type QueryFields } from './advanced-query.js';

export type SortDirection = 'asc' | 'desc';

/** What a list can be asked for. */
export interface ListSpec {
  sort: readonly string[];
  defaultSort: string;
  defaultDirection: SortDirection;
  /** Items a page when the caller does not say; absent in a list that has no pages. */
  perPage?: number;
  /** The fields that can be filtered; a filter that names none of them applies to the first. */
  filter?: readonly string[];
  /** Its advanced query, where it takes one: the name of its schema, its attributes, and one to begin with. */
  query?: { name: string; fields: QueryFields; example: object };
}

/**
 * What a caller asks a list for. `filterField` and `filter` are both there or both absent; of a list that has no pages,
 * `page` and `perPage` are 0.
 */
export interface ListParameters {
  sortField: string;
  sortDirection: SortDirection;
  page: number;
  perPage: number;
  filterField?: string;
  filter?: string;
  /** What an advanced query says, in place of a filter: SQL whose values it adds to those of the statement. */
  condition?: (values: unknown[]) => string;
  /** That query as it was asked. */
  query?: unknown;
}

/** An advanced query as it was asked, and what it says. */
export interface AskedQuery {
  condition: (values: unknown[]) => string;
  query: object;
}

const MOST_PER_PAGE = 1000;
const LONGEST_FILTER = 255;
const MOST_ENTRIES = 100;
const DIRECTIONS = ['asc', 'desc', 'ASC', 'DESC'] as const;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
const ID = new RegExp(ID_PATTERN);
/** The last time that can be stored and answered, in milliseconds since 1970. */
export const LATEST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The parameters of a list from a parsed query string. Absent and blank ones take their defaults; what `spec` does not
 * have is ignored. Throws `ValidationError` that names the first parameter at fault.
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

/** The page, counted from 0. */
export function parsePage(value: unknown): number {
  return parseInteger('page', value, 0, 999_999_999, 0);
}

/** Items a page: 1 to 1000. */
export function parsePerPage(value: unknown, fallback: number): number {
  return parseInteger('perPage', value, 1, MOST_PER_PAGE, fallback);
}

/** `true`, `false`, `1` or `0`; upper or lower case, since published clients write `True`. */
export function parseBoolean(name: string, value: unknown, fallback: boolean): boolean {
  const text = textOf(name, value);
  if (text === '') return fallback;
  const read = BOOLEANS.get(text.toLowerCase());
  if (read === undefined) throw new ValidationError(`${name} must be true, false, 1 or 0`);
  return read;
}

/** One of `choices`, written exactly so. */
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

/** `asc` or `desc`, also in upper case. */
export function parseSortDirection(value: unknown, fallback: SortDirection): SortDirection {
  return parseChoice('sortDirection', value, DIRECTIONS, fallback).toLowerCase() as SortDirection;
}

/** An id of 24 hexadecimal digits, in lower case. */
export function parseId(name: string, value: unknown): string {
  const text = textOf(name, value);
  if (!ID.test(text)) throw new ValidationError(`${name} must be 24 hexadecimal digits`);
  return text.toLowerCase();
}

/** A time in milliseconds since 1970; absent or blank is none. */
export function parseTime(name: string, value: unknown): Date | undefined {
  const text = textOf(name, value);
  if (text === '') return undefined;
  const time = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (time <= LATEST_TIME) return new Date(time);
  throw new ValidationError(`${name} must be an integer, milliseconds since 1970`);
}

/** Ids separated by commas, 100 at most. */
export function parseIdList(name: string, value: unknown): string[] {
  return parseNames(name, value).map((id) => parseId(name, id));
}

/** Names separated by commas, 100 at most, without the blanks around them. */
export function parseNames(name: string, value: unknown): string[] {
  const names = textOf(name, value)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (names.length > MOST_ENTRIES)
    throw new ValidationError(`${name} must have at most ${MOST_ENTRIES} entries`);
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
  if (filter.length > LONGEST_FILTER)
    throw new ValidationError(`filter must have at most ${LONGEST_FILTER} characters`);
  inspectText(filter, 'filter');
  return { filterField, filter };
}

/** The condition of an advanced query, and the query; nothing where it is absent or blank. */
export function parseCondition(value: unknown, { query }: Pick<ListSpec, 'query'>): AskedQuery | undefined {
  const text = query ? textOf('query', value) : '';
  if (!query || text === '') return undefined;
  const asked = parseAdvancedQuery(text);
  return { condition: (values) => compileAdvancedQuery(asked, query.fields, values), query: asked };
}

/** A whole number from `minimum` to `maximum`. */
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

/** The text of a parameter that may be given once; an absent one is blank. */
function textOf(name: string, value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') throw new ValidationError(`${name} must be given once, as text`);
  return value;
}
