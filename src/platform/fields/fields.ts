import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Column, type ColumnType } from 'typeorm';
import { isGuarded, shapeOf, SHOWN_FROM, type Shape } from '../responses/shape.js';

/** A JSON Schema in the dialect of the document (OpenAPI 3.0). With a `title` it becomes a component of that name. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** How a column's text becomes JSON: `plain` text needs no escape, `json` is JSON already. */
export type FieldKind = 'plain' | 'text' | 'date' | 'boolean' | 'number' | 'json';

/** One documented property of a class: where its value stands and how it is written. */
export interface Field {
  property: string;
  kind: FieldKind;
  /** The property whose column holds the value; absent for values that no column of the class holds. */
  source?: string;
  /** What is shown of a JSON value, whatever it holds. */
  shape?: () => Shape;
  /** What of it those see who only read, where that is less. */
  shapeForReaders?: () => Shape;
  /** The role from which it is shown at all. */
  shownFrom?: ActingRole;
}

/** The role from which people act, and not only read. */
export type ActingRole = 'collaborate';

export interface FieldOptions {
  /** What the property means, for the reader of the document. */
  description: string;
  example?: unknown;
  /** Always present in answers; in a body that takes the property, it must be given. */
  required?: boolean;
  /** False for a value that is computed for the answer and stored nowhere, or stored elsewhere. */
  column?: false;
  /** `null` may stand in a body or answer, not only absence. */
  nullable?: boolean;
  default?: unknown;
  /**
   * Nobody else may read it: no log keeps it. In the document text is a `password` then, and anything else, which no
   * answer may show, `writeOnly`.
   */
  secret?: true;
  /**
   * Whoever has it can act: it is shown from this role on, and not to tokens that only read, which is why no answer is sure
   * to have it. For secrets within free-form JSON, its schema has `x-secrets-from`.
   */
  shownFrom?: ActingRole;
}

/**
 * Marks a list in an answer that is there only where it is asked for. The document shows it as an additional member, as
 * those of the resource itself are always the same.
 */
export const ON_REQUEST = { 'x-on-request': true } as const;

const FIELDS = Symbol('fields');
export const ID_PATTERN = '^[A-Fa-f\\d]{24}$';
/** Names that other resources refer to: attributes, tag keys, columns of data tables. */
export const NAME_PATTERN = '^[0-9a-zA-Z_-]{1,255}$';
export const ID_EXAMPLE = '575ec8687ae143cd83dc4a97';

/** The documented properties of a class and those it inherits, in the order written. */
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
  const { description, example, required = false, nullable, secret, shownFrom } = options;
  const isText = schema.type === 'string';
  const documented = {
    // A schema with a title becomes a component, and what stands beside a reference to one needs a wrapper.
    ...(schema.title ? { allOf: [schema] } : schema),
    ...(secret ? (isText ? { format: 'password' } : { writeOnly: true }) : {}),
    ...(shownFrom ? { [SHOWN_FROM]: shownFrom } : {}),
    description: shownFrom
      ? `${description} Shown from the role \`${shownFrom}\` on, and not to tokens that only read.`
      : description,
    required: required && !shownFrom,
    ...(example === undefined ? {} : { example }),
    ...(nullable ? { nullable } : {}),
    ...(options.default === undefined ? {} : { default: options.default }),
  } as ApiPropertyOptions;
  const stored = options.column !== false;
  const decorators = [
    check(schema, options),
    ApiProperty(documented),
    remember({ kind, ...shapes, shownFrom }, stored),
  ];
  if (stored)
    decorators.push(
      Column({ type: column, nullable: !required, ...(column === 'timestamptz' ? { precision: 3 } : {}) }),
    );
  return applyDecorators(...decorators);
}

/** What a schema says must not be overwritten by what the field says. */
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

/** 24 hexadecimal digits. */
export function IdField(options: FieldOptions): PropertyDecorator {
  return field('plain', { type: 'string', pattern: ID_PATTERN }, 'text', { example: ID_EXAMPLE, ...options });
}

/** A second name of the resource's `id`, such as `applicationId`. */
export function AliasField(resource: string): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'string',
      pattern: ID_PATTERN,
      description: `The ${resource}'s id, again.`,
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

/** Text within the given bounds. */
export function StringField({
  minLength,
  maxLength,
  pattern,
  format,
  ...options
}: StringOptions): PropertyDecorator {
  return field('text', defined({ type: 'string', minLength, maxLength, pattern, format }), 'text', options);
}

/** One of the given values, or of those of a schema that several resources share. */
export function ChoiceField(
  choices: readonly string[] | (JsonSchema & { enum: readonly string[] }),
  options: FieldOptions,
): PropertyDecorator {
  const schema = 'enum' in choices ? choices : { type: 'string', enum: choices };
  return field('plain', schema, 'text', { example: schema.enum[0], ...options });
}

/** An instant, ISO 8601 in UTC with milliseconds. */
export function DateField(options: FieldOptions): PropertyDecorator {
  return field('date', { type: 'string', format: 'date-time' }, 'timestamptz', {
    example: '2026-06-13T04:00:00.000Z',
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

/** A whole number; its column is as wide as its maximum asks for. */
export function IntegerField({ minimum, maximum, ...options }: NumberOptions): PropertyDecorator {
  const isWide = maximum !== undefined && maximum >= 2 ** 31;
  const schema = { type: 'integer', format: isWide ? 'int64' : undefined, minimum, maximum };
  return field('number', defined(schema), isWide ? 'bigint' : 'integer', options);
}

/** A JSON value of the given schema, validated and printed as it stands; a JSON column. */
export function JsonField(schema: JsonSchema, options: FieldOptions): PropertyDecorator {
  return field('json', schema, 'jsonb', options, {
    shape: () => shapeOf(schema, {}),
    ...(isGuarded(schema, {}) ? { shapeForReaders: () => shapeOf(schema, {}, true) } : {}),
  });
}

/** An object, or a list of objects, of a documented class. `type` is lazy: `() => Member`. */
export function ObjectField(
  type: () => Type,
  options: FieldOptions & { column: false; list?: boolean; maxItems?: number },
): PropertyDecorator {
  const { list = false, maxItems, ...rest } = options;
  // Swagger knows a lazy type by the literal key `type` only.
  return field('json', defined({ type: () => type(), isArray: list || undefined, maxItems }), 'jsonb', rest, {
    shape: () => (list ? { items: shapeOfClass(type()) } : shapeOfClass(type())),
  });
}

/** What is shown of an object of a class: its documented properties. */
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
