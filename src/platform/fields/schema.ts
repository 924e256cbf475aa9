import { ID_EXAMPLE, ID_PATTERN, TIME_EXAMPLE, UNSAMPLED, type JsonSchema } from './fields.js';

// Builders for schemas that are written by hand, each with a description and an example.

const LINK_EXAMPLE =
  'https://api.example.com/blobs/exports/575ec8687ae143cd83dc4a97.zip?expires=1781409600&signature=K5oZfzN95Z9UVu1E';

const OTHER_JSON = [
  { type: 'number' },
  { type: 'boolean' },
  { type: 'array', items: {} },
  { type: 'object', additionalProperties: true },
];

/** Any JSON value in a response; `null` is omitted. */
export const JSON_VALUE: JsonSchema = {
  title: 'JsonValue',
  description: 'Any JSON value except `null`.',
  oneOf: [{ type: 'string' }, ...OTHER_JSON],
};

/** Any JSON value in a body. */
export const NULLABLE_JSON_VALUE: JsonSchema = {
  title: 'NullableJsonValue',
  description: 'Any JSON value.',
  oneOf: [{ type: 'string', nullable: true }, ...OTHER_JSON],
};

/** Returns the schema of a property of a body with any JSON value. */
export const anySchema = (description: string, example: unknown): JsonSchema => ({
  allOf: [NULLABLE_JSON_VALUE],
  description,
  example,
});

/** Returns the schema of a text; `limits` are keywords such as `minLength`, `maxLength`, `pattern` and `format`. */
export const textSchema = (description: string, example: string, limits: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  ...limits,
  description,
  example,
});

/** Returns the schema of a text that bodies accept and no response contains, such as a password. */
export const hiddenSchema = (description: string, example: string, limits: JsonSchema = {}): JsonSchema => ({
  ...textSchema(`${description} Never returned.`, example, limits),
  writeOnly: true,
});

/** Returns the schema of a text that is one of the given values. */
export const choiceSchema = (choices: readonly string[], description: string, example: string): JsonSchema =>
  textSchema(description, example, { enum: choices });

/** Returns the schema of an ID of 24 hexadecimal digits. */
export const idSchema = (description: string): JsonSchema =>
  textSchema(description, ID_EXAMPLE, { pattern: ID_PATTERN });

/** Returns the schema of a time in ISO 8601. */
export const timeSchema = (description: string, example = TIME_EXAMPLE): JsonSchema =>
  textSchema(description, example, { format: 'date-time' });

/** Returns the schema of a signed link, which opens the content for anyone; `lifetime` completes `Valid for`. */
export const linkSchema = (description: string, lifetime: string): JsonSchema =>
  textSchema(`${description} Anyone with the link can read it. Valid for ${lifetime}.`, LINK_EXAMPLE, {
    format: 'uri',
  });

/** Example of a count. */
export const COUNT_EXAMPLE = 3;

/** Returns the schema of an integer that is not negative. */
export const countSchema = (description: string, example = COUNT_EXAMPLE): JsonSchema => ({
  type: 'integer',
  minimum: 0,
  description,
  example,
});

/** Returns the schema of a TCP port. */
export const portSchema = (description: string, example: number): JsonSchema => ({
  type: 'integer',
  minimum: 1,
  maximum: 65_535,
  description,
  example,
});

/** Returns the schema of a boolean. */
export const flagSchema = (description: string): JsonSchema => ({
  type: 'boolean',
  description,
  example: true,
});

/** Returns the schema of a boolean with a default. */
export const optionSchema = (description: string, byDefault = false): JsonSchema => ({
  type: 'boolean',
  default: byDefault,
  description,
});

/** Returns the schema of a property that the example of its object leaves out, because it excludes another one. */
export const unsampled = <T extends JsonSchema>(schema: T): T => ({ ...schema, [UNSAMPLED]: true });

/** Returns the schema of an object that accepts only the given properties. */
export const closedSchema = (
  title: string,
  description: string,
  properties: JsonSchema,
  required: readonly string[] = [],
): JsonSchema => ({
  title,
  type: 'object',
  additionalProperties: false,
  description,
  ...(required.length > 0 ? { required } : {}),
  properties,
});
