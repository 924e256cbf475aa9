import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Column, type ColumnType } from 'typeorm';
import { ID_PATTERN, NAME_PATTERN } from '../../lib/ids/ids.js';
import { isGuarded, shapeOf, MIN_READER_ROLE, type Shape } from '../responses/shape.js';

/**
 * A JSON Schema in the dialect of the document (OpenAPI 3.0). A schema with a `title` becomes a component of that name.
 */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** How the text of a column is converted to JSON: `plain` text needs no escaping, `json` already is JSON. */
export type FieldKind = 'plain' | 'text' | 'date' | 'boolean' | 'number' | 'json';

/** A documented property of a class, with the location and format of its value. */
export interface Field {
  property: string;
  kind: FieldKind;
  /** Property whose column contains the value; `undefined` for values that are not stored in a column of the class. */
  source?: string;
  /** Members of a JSON value that are returned. */
  shape?: () => Shape;
  /** Members returned to callers with read-only access, if fewer. */
  shapeForReaders?: () => Shape;
  /** Minimum role to which the property is returned. */
  minReaderRole?: ActingRole;
}

/** Minimum role that can act rather than only read. */
export type ActingRole = 'collaborate';

export interface FieldOptions {
  /** Meaning of the property, for readers of the API document. */
  description: string;
  example?: unknown;
  /** Whether the property is always present in responses, and required in bodies that accept it. */
  required?: boolean;
  /** `false` if the value is computed for the response or stored elsewhere. */
  column?: false;
  /** Whether the value can be `null`, in addition to being absent. */
  nullable?: boolean;
  default?: unknown;
  /**
   * Whether the value is secret; logs never contain it. In the document, text gets the format `password`. Other values
   * are `writeOnly`, because responses never contain them.
   */
  secret?: true;
  /**
   * Minimum role to which the property is returned, because it allows acting on behalf of its owner. It is hidden from
   * read-only tokens, so responses do not always contain it. For secrets in free-form JSON, use `x-secrets-from` in the
   * schema.
   */
  minReaderRole?: ActingRole;
  /** `false` if the example of the resource leaves the property out, because it excludes another one. */
  sampled?: false;
}

/**
 * Marks an array that responses contain only on request. It is documented as an additional member, because the members
 * of a resource are always the same.
 */
export const ON_REQUEST = { 'x-on-request': true } as const;

/**
 * Marks a property that the example of its resource leaves out, because it excludes or contradicts another one. The
 * document does not contain the mark.
 */
export const UNSAMPLED = 'x-unsampled';

const FIELDS = Symbol('fields');
export { ID_PATTERN, NAME_PATTERN };
export const ID_EXAMPLE = '575ec8687ae143cd83dc4a97';
export const TIME_EXAMPLE = '2026-06-13T04:00:00.000Z';

/** Returns the documented properties of a class, including inherited ones, in order of declaration. */
export function fieldsOf(type: Type): readonly Field[] {
  return (Reflect.getMetadata(FIELDS, type) as Field[] | undefined) ?? [];
}

function field(
  kind: FieldKind,
  schema: JsonSchema,
  column: ColumnType,
  options: FieldOptions,
  shapes: Pick<Field, 'shape' | 'shapeForReaders'> = {},
): PropertyDecorator {
  const { description, example, required = false, nullable, secret, minReaderRole } = options;
  const isText = schema.type === 'string';
  const documented = {
    // A titled schema becomes a reference to a component, which allows no siblings and therefore needs a wrapper.
    ...(schema.title ? { allOf: [schema] } : schema),
    ...(secret ? (isText ? { format: 'password' } : { writeOnly: true }) : {}),
    ...(minReaderRole ? { [MIN_READER_ROLE]: minReaderRole } : {}),
    description: minReaderRole
      ? `${description} Requires the role \`${minReaderRole}\` or higher; not returned to read-only tokens.`
      : description,
    required: required && !minReaderRole,
    ...(example === undefined ? {} : { example }),
    ...(nullable ? { nullable } : {}),
    ...(options.sampled === false ? { [UNSAMPLED]: true } : {}),
    ...(options.default === undefined ? {} : { default: options.default }),
  } as ApiPropertyOptions;
  const stored = options.column !== false;
  const decorators = [
    check(schema, options),
    ApiProperty(documented),
    remember({ kind, ...shapes, minReaderRole }, stored),
  ];
  if (stored)
    decorators.push(
      Column({ type: column, nullable: !required, ...(column === 'timestamptz' ? { precision: 3 } : {}) }),
    );
  return applyDecorators(...decorators);
}

/** Rejects schemas that the options of the field would overwrite. */
function check(schema: JsonSchema, { secret }: FieldOptions): PropertyDecorator {
  return ({ constructor }, key) => {
    const at = `${constructor.name}.${String(key)}`;
    if (Array.isArray(schema.required) && !schema.title)
      throw new Error(`${at}: a schema with required members needs a title`);
    if (secret && schema.format) throw new Error(`${at}: a secret has no format of its own`);
  };
}

function remember(
  facts: Omit<Field, 'property' | 'source'>,
  stored: boolean,
  source?: string,
): PropertyDecorator {
  return (target, key) => {
    const type = target.constructor as Type;
    const property = String(key);
    const fields = fieldsOf(type).filter((known) => known.property !== property);
    Reflect.defineMetadata(
      FIELDS,
      [...fields, { property, ...facts, ...(stored ? { source: source ?? property } : {}) }],
      type,
    );
  };
}

/** Declares an ID of 24 hexadecimal digits. */
export function IdField(options: FieldOptions): PropertyDecorator {
  return field('plain', { type: 'string', pattern: ID_PATTERN }, 'text', { example: ID_EXAMPLE, ...options });
}

/** Declares an alias of the `id` of the resource, such as `applicationId`. */
export function AliasField(resource: string): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'string',
      pattern: ID_PATTERN,
      description: `Alias of the ${resource}'s \`id\`.`,
      example: ID_EXAMPLE,
    }),
    remember({ kind: 'plain' }, true, 'id'),
  );
}

export interface StringOptions extends FieldOptions {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: 'email' | 'uri';
}

/** Declares text with a minimum and maximum length. */
export function StringField({
  minLength,
  maxLength,
  pattern,
  format,
  ...options
}: StringOptions): PropertyDecorator {
  return field('text', defined({ type: 'string', minLength, maxLength, pattern, format }), 'text', options);
}

/**
 * Declares one of the given values, or of the values of a shared schema. `title` names the component of the values if
 * the name of the property is that of another one.
 */
export function ChoiceField(
  choices: readonly string[] | (JsonSchema & { enum: readonly string[] }),
  { title, ...options }: FieldOptions & { title?: string },
): PropertyDecorator {
  const schema = 'enum' in choices ? choices : defined({ title, type: 'string', enum: choices });
  return field('plain', schema, 'text', { example: (schema.enum as readonly string[])[0], ...options });
}

/** Declares a time, ISO 8601 in UTC with milliseconds. */
export function DateField(options: FieldOptions): PropertyDecorator {
  return field('date', { type: 'string', format: 'date-time' }, 'timestamptz', {
    example: TIME_EXAMPLE,
    ...options,
  });
}

export function BooleanField(options: FieldOptions): PropertyDecorator {
  return field('boolean', { type: 'boolean' }, 'boolean', { example: true, ...options });
}

export interface NumberOptions extends FieldOptions {
  minimum?: number;
  maximum?: number;
}

/** Declares an integer; the maximum determines the column type. */
export function IntegerField({ minimum, maximum, ...options }: NumberOptions): PropertyDecorator {
  const isWide = maximum !== undefined && maximum >= 2 ** 31;
  // A value without a column may be wider than an integer column.
  const isSmall = !isWide && (maximum !== undefined || options.column !== false);
  const schema = { type: 'integer', format: isSmall ? 'int32' : 'int64', minimum, maximum };
  return field('number', defined(schema), isWide ? 'bigint' : 'integer', options);
}

/** Declares a JSON value that is validated against the schema, returned unchanged and stored in a JSON column. */
export function JsonField(schema: JsonSchema, options: FieldOptions): PropertyDecorator {
  return field('json', schema, 'jsonb', options, {
    shape: () => shapeOf(schema, {}),
    ...(isGuarded(schema, {}) ? { shapeForReaders: () => shapeOf(schema, {}, true) } : {}),
  });
}

/** Declares an object, or an array of objects, of a documented class. `type` is lazy: `() => Member`. */
export function ObjectField(
  type: () => Type,
  options: FieldOptions & { column: false; list?: boolean; maxItems?: number },
): PropertyDecorator {
  const { list = false, maxItems, ...rest } = options;
  // Nest detects a lazy type only if the key is the literal `type`.
  return field('json', defined({ type: () => type(), isArray: list || undefined, maxItems }), 'jsonb', rest, {
    shape: () => (list ? { items: shapeOfClass(type()) } : shapeOfClass(type())),
  });
}

/** Returns the shape of a class: its documented properties. */
function shapeOfClass(type: Type): Shape {
  return {
    members: new Map(
      fieldsOf(type).map(({ property, shape }) => [property, { shape: shape?.() ?? 'all', nullable: false }]),
    ),
  };
}

function defined(schema: Record<string, unknown>): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
