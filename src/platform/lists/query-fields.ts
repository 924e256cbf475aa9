import { Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema, type ApiPropertyOptions } from '@nestjs/swagger';
import qs from 'qs';
import { ValidationError } from '../../lib/errors/errors.js';
import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../fields/fields.js';
import { inspectText } from '../server/read-body.js';
import { advancedQuerySchema } from './advanced-query-schema.js';
import {
  MAX_TIME,
  parseBoolean,
  parseChoice,
  parseCondition,
  parseId,
  parseInteger,
  parseListParameters,
  parseNames,
  parseSortDirection,
  parseTime,
  SORT_DIRECTION,
  type ListParameters,
  type ListSpec,
  type SortDirection,
} from './list-query.js';
import { parseMoment } from './moments.js';
import { jsonReader, MAX_JSON_LENGTH } from './query-json.js';

type Reader = (name: string, value: unknown) => unknown;

const READERS = Symbol('query readers');
const WHOLE_QUERY = Symbol('query whole');
const MAX_TEXT_LENGTH = 4096;
const INT32 = 2 ** 31 - 1;
/** Extension of a text parameter with the schema of the JSON that it contains. */
export const JSON_SCHEMA_EXTENSION = 'x-json-schema';

function queryField(documented: ApiPropertyOptions, read: Reader): PropertyDecorator {
  return (target, key) => {
    ApiProperty({ required: false, ...documented } as ApiPropertyOptions)(target, key);
    const type = target.constructor;
    const readers = (Reflect.getMetadata(READERS, type) as Record<string, Reader> | undefined) ?? {};
    Reflect.defineMetadata(READERS, { ...readers, [String(key)]: read }, type);
  };
}

/** Declares a text parameter; blank counts as absent, which selects the default, if any. */
export function QueryText(options: {
  description: string;
  example?: string;
  default?: string;
  maxLength?: number;
  required?: boolean;
}): PropertyDecorator {
  const { maxLength = MAX_TEXT_LENGTH, required = false, ...documented } = options;
  return queryField({ type: 'string', maxLength, required, ...documented }, (name, value) => {
    const text = textOf(name, value, maxLength) || options.default;
    if (required && text === undefined) throw new ValidationError(`${name} is required`);
    return text;
  });
}

/** Declares a boolean: `true`, `false`, `1` or `0`, ignoring case; absent or blank selects the default. */
export function QueryBoolean(options: { description: string; default: boolean }): PropertyDecorator {
  return queryField({ type: 'boolean', ...options }, (name, value) =>
    parseBoolean(name, value, options.default),
  );
}

/** Declares an integer; absent or blank selects the default, if any. */
export function QueryInteger(options: {
  description: string;
  minimum: number;
  maximum: number;
  default?: number;
  example?: number;
}): PropertyDecorator {
  const format = options.maximum > INT32 ? { format: 'int64' } : {};
  return queryField({ type: 'integer', ...format, ...options }, (name, value) =>
    parseInteger(name, value, options.minimum, options.maximum, options.default),
  );
}

/** Declares up to 100 names, separated by commas; absent or blank means no names. */
export function QueryNames(options: { description: string; example: string }): PropertyDecorator {
  return queryField({ type: 'string', maxLength: MAX_TEXT_LENGTH, ...options }, (name, value) => {
    const names = parseNames(name, textOf(name, value, MAX_TEXT_LENGTH));
    return names.length > 0 ? names : undefined;
  });
}

/**
 * Declares one of `choices`. Required if it has no default, unless `required` is `false`. `title` names the component of
 * the choices.
 */
export function QueryChoice(
  choices: readonly string[],
  { title, ...options }: { description: string; default?: string; required?: false; title?: string },
): PropertyDecorator {
  const { required = options.default === undefined } = options;
  const example = required ? choices[0] : undefined;
  return queryField(
    { enum: [...choices], ...(title ? { title } : {}), ...options, required, example },
    (name, value) => {
      const choice = parseChoice(name, value, choices, options.default ?? '');
      if (choice === '' && required) throw new ValidationError(`${name} is required`);
      return choice || undefined;
    },
  );
}

/** Declares a sort direction, `asc` or `desc`; absent or blank selects the default. */
export function QuerySortDirection(options: {
  description: string;
  default: SortDirection;
}): PropertyDecorator {
  return queryField({ ...SORT_DIRECTION, ...options }, (_name, value) =>
    parseSortDirection(value, options.default),
  );
}

/** Declares an ID. Blank is preserved if it has a separate meaning, and `null` is parsed if it is allowed. */
export function QueryId(options: {
  description: string;
  blank?: boolean;
  nullable?: boolean;
  required?: boolean;
}): PropertyDecorator {
  const { blank = false, nullable = false, required = false, description } = options;
  const others = blank ? '|' : nullable ? '|null' : '';
  const pattern = others ? `^([A-Fa-f\\d]{24}${others})$` : ID_PATTERN;
  const documented = { type: 'string', pattern, required, description, example: ID_EXAMPLE } as const;
  return queryField(documented, (name, value) => {
    if (value === undefined || (value === '' && !blank)) {
      if (required) throw new ValidationError(`${name} is required`);
      return undefined;
    }
    if (nullable && value === 'null') return null;
    return value === '' ? '' : parseId(name, value);
  });
}

/** Declares a time in milliseconds since 1970. */
export function QueryTime(options: {
  description: string;
  example: number;
  required?: boolean;
}): PropertyDecorator {
  const schema = { type: 'integer', format: 'int64', minimum: 0, maximum: MAX_TIME } as const;
  return queryField({ ...schema, ...options }, (name, value) => {
    const time = parseTime(name, value);
    if (options.required && time === undefined) throw new ValidationError(`${name} is required`);
    return time;
  });
}

/** Declares a time in milliseconds since 1970 or, if zero or negative, relative to now. */
export function QueryMoment(options: {
  description: string;
  example?: number;
  default?: number;
}): PropertyDecorator {
  const schema = { type: 'integer', format: 'int64', minimum: -MAX_TIME, maximum: MAX_TIME } as const;
  const told = `${options.description} Milliseconds since 1970 or, if zero or negative, relative to now.`;
  const documented = { ...schema, example: 1_465_790_400_000, ...options, description: told };
  return queryField(documented, (name, value) => parseMoment(name, value, options.default));
}

/**
 * Declares a value with a schema, given as JSON or in brackets. The description shows both forms. The schema needs a
 * title, under which the document lists it. Blank counts as absent.
 */
export function QueryJson(
  schema: JsonSchema,
  { description, example }: { description: string; example: object },
): PropertyDecorator {
  return (target, key) => {
    const inBrackets = qs.stringify({ [key]: example }, { encode: false });
    const told = `${description} JSON text, or in brackets: \`${inBrackets}\`.`;
    queryField(isInJson(told, schema, example), jsonReader(schema))(target, key);
  };
}

/** Declares an advanced query for operations other than lists. Yields its condition and the query as requested. */
export function QueryAdvanced(query: NonNullable<ListSpec['query']>, description: string): PropertyDecorator {
  const schema = advancedQuerySchema(query.fields, query.name);
  return queryField(isInJson(description, schema, query.example), (_name, value) =>
    parseCondition(value, { query }),
  );
}

/**
 * Documents a parameter that contains JSON. It is text, because most client generators send an object as
 * `[object Object]`; an extension links the schema of the JSON.
 */
function isInJson(description: string, schema: JsonSchema, example: object): ApiPropertyOptions {
  const { title } = schema;
  if (typeof title !== 'string')
    throw new Error(`The JSON parameter "${description}" needs a schema with a title`);
  return {
    type: 'string',
    maxLength: MAX_JSON_LENGTH,
    description: `${description} The JSON is described by \`${title}\`.`,
    example: JSON.stringify(example),
    [JSON_SCHEMA_EXTENSION]: schema,
  } as ApiPropertyOptions;
}

/** Query of an operation whose response has a summary. */
export class SummaryQuery {
  @QueryText({
    description: 'Comma-separated summary fields to return; default: the standard fields.',
    example: 'flowCount,deviceCount',
  })
  summaryInclude?: string;

  @QueryText({ description: 'Comma-separated summary fields to omit.', example: 'eventCount' })
  summaryExclude?: string;
}

/**
 * Creates the query class of a list: sorting, pagination and filtering as in `spec`, in addition to the parameters of
 * `base`. Extend it to add further parameters of the list.
 */
export function listQuery<T extends object = object>(
  spec: ListSpec,
  base: Type<T> = Object as unknown as Type<T>,
): Type<T & { list: ListParameters }> {
  class ListQuery extends (base as Type) {
    list: ListParameters;
  }
  const member = (name: string, options: ApiPropertyOptions) =>
    ApiPropertyOptional(options)(ListQuery.prototype, name);
  member('sortField', {
    type: 'string',
    enum: [...spec.sort],
    default: spec.defaultSort,
    description: 'Field to sort by.',
  });
  member('sortDirection', {
    ...SORT_DIRECTION,
    default: spec.defaultDirection,
    description: 'Sort direction; ties are sorted by ID.',
  });
  if (spec.perPage !== undefined) {
    member('page', { type: 'integer', minimum: 0, default: 0, description: 'Page number, starting at 0.' });
    member('perPage', {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: spec.perPage,
      description:
        'Maximum number of items per page. Returns `400` if the page has several items and exceeds 16 MiB; request fewer items then. A single item is returned regardless of its size.',
    });
  }
  if (spec.filter?.length) {
    member('filterField', {
      type: 'string',
      enum: [...spec.filter],
      description: `Field to filter; default: \`${spec.filter[0]}\`.`,
    });
    member('filter', {
      type: 'string',
      maxLength: 255,
      description:
        'Matches the whole value, ignoring case. `*` matches any text, `?` matches one character, and `\\` escapes the next character. Blank means no filter.',
      example: 'pump*',
    });
  }
  if (spec.query) {
    const { name, fields, example } = spec.query;
    const schema = advancedQuerySchema(fields, name);
    const description = 'An advanced query, as JSON text. It replaces `filterField` and `filter`.';
    member('query', isInJson(description, schema, example));
  }
  Reflect.defineMetadata(
    WHOLE_QUERY,
    (query: Record<string, unknown>) => ({ list: parseListParameters(query, spec) }),
    ListQuery,
  );
  ApiSchema({ name: 'ListQuery' })(ListQuery);
  return ListQuery as unknown as Type<T & { list: ListParameters }>;
}

type QueryReader = (query: Record<string, unknown>) => object;

/** Parses the query of a request into the class that its handler declares. Undeclared parameters are ignored. */
@Injectable()
export class QueryPipe implements PipeTransform {
  private readonly readers = new Map<unknown, QueryReader | undefined>();

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'query' || !metatype) return value;
    if (!this.readers.has(metatype)) this.readers.set(metatype, readerOf(metatype));
    const read = this.readers.get(metatype);
    return read ? read((value ?? {}) as Record<string, unknown>) : value;
  }
}

function readerOf(metatype: Type): QueryReader | undefined {
  const readers = Reflect.getMetadata(READERS, metatype) as Record<string, Reader> | undefined;
  const whole = Reflect.getMetadata(WHOLE_QUERY, metatype) as QueryReader | undefined;
  if (!readers && !whole) return undefined;
  const fields = Object.entries(readers ?? {});
  return (query) => {
    const read = Object.assign({}, whole?.(query)) as Record<string, unknown>;
    for (const [name, reader] of fields)
      read[name] = reader(name, Object.hasOwn(query, name) ? query[name] : undefined);
    return read;
  };
}

function textOf(name: string, value: unknown, maxLength: number): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw new ValidationError(`${name} must be a single string`);
  if (value.length > maxLength)
    throw new ValidationError(`${name} must have at most ${maxLength} characters`);
  inspectText(value, name);
  return value;
}
