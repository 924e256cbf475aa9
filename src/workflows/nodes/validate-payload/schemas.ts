import { _, type ErrorObject, type KeywordCxt, type ValidateFunction } from 'ajv';
import ajvModule from 'ajv-draft-04';
import formatsModule from 'ajv-formats';
import refModule from 'ajv/dist/vocabularies/core/ref.js';
import { LRUCache } from 'lru-cache';
import { SafePattern } from '../../../lib/regexp/safe-pattern.js';
import { PatternError, Steps } from '../../../lib/regexp/search.js';
import { RunFault } from '../../engine/run-error.js';
import { isTooDeep } from '../../language/json-depth.js';
import { messageOf } from './messages.js';

export interface SchemaFault {
  /** Path of the value, beginning with `data` for the validated value itself. */
  readonly field: string;
  readonly message: string;
}

interface Compiled {
  readonly validate: ValidateFunction;
  /** Number of values in the schema. */
  readonly size: number;
}

const MAX_SCHEMA_LENGTH = 64 * 1024;
const MAX_SCHEMA_DEPTH = 64;
const MAX_FAULTS = 1000;
/** Number of values in the schema of schemas, about. */
const META_SIZE = 200;
/** Values of the schema that are compared with a value in one step. */
const PER_STEP = 20;

/**
 * What a validation may still do. A schema may refer to itself, so its work is only known while it runs: each reference
 * and each pattern spends steps.
 */
let steps = new Steps();
let schemaSize = 0;
let sizes = new WeakMap<object, number>();

function start(size: number): void {
  [steps, schemaSize, sizes] = [new Steps(), size, new WeakMap()];
}

const spend = (value: unknown): void => steps.spend(Math.ceil((schemaSize * sizeOf(value)) / PER_STEP));

const refDefinition = refModule.default;
const ajv = new ajvModule.default({
  strict: false,
  logger: false,
  allErrors: true,
  inlineRefs: false,
  unicodeRegExp: false,
  code: {
    regExp: Object.assign(
      (source: string) => {
        const pattern = new SafePattern(source);
        return { test: (text: string) => pattern.test(text, steps), toString: () => source };
      },
      { code: 'safePattern' },
    ),
  },
});
formatsModule.default(ajv, {
  mode: 'fast',
  formats: ['date-time', 'date', 'time', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid'],
});
ajv.removeKeyword('$ref');
ajv.addKeyword({
  ...refDefinition,
  code(context: KeywordCxt) {
    const { gen, data } = context;
    gen.code(_`${gen.scopeValue('func', { ref: spend })}(${data})`);
    refDefinition.code(context);
  },
});
// The keyword of the library compares all pairs of items.
ajv.removeKeyword('uniqueItems');
ajv.addKeyword({
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  validate: (isRequired: boolean, items: unknown[]) =>
    !isRequired || new Set(items.map((item) => JSON.stringify(sorted(item)))).size === items.length,
});

let schemas = 0;
const compiled = new LRUCache<string, Compiled>({ max: 200 });

/** Returns the faults of a value, none if it is valid. Throws a `RunFault` if the schema is invalid or takes too long. */
export function faultsOf(schema: unknown, value: unknown): readonly SchemaFault[] {
  if (isTooDeep(value)) throw new RunFault('ValidationError', 'toValidatePath is nested too deeply');
  const { validate, size } = compile(schema);
  start(size);
  try {
    spend(value);
    if (validate(value)) return [];
    return (validate.errors ?? []).slice(0, MAX_FAULTS).map(faultOf);
  } catch (error) {
    if (error instanceof PatternError) throw new RunFault('ValidationError', 'schema takes too many steps');
    if (error instanceof RangeError)
      throw new RunFault('ValidationError', 'schema refers to itself endlessly');
    throw error;
  } finally {
    validate.errors = null;
  }
}

function compile(schema: unknown): Compiled {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw new RunFault('ValidationError', 'schema must be an object');
  if (isTooDeep(schema, MAX_SCHEMA_DEPTH))
    throw new RunFault('ValidationError', `schema must have at most ${MAX_SCHEMA_DEPTH} levels`);
  const text = JSON.stringify(schema);
  if (text.length > MAX_SCHEMA_LENGTH)
    throw new RunFault('ValidationError', `schema must have at most ${MAX_SCHEMA_LENGTH} characters`);
  let found = compiled.get(text);
  if (!found) compiled.set(text, (found = compileNew(text)));
  return found;
}

function compileNew(text: string): Compiled {
  // An ID of its own keeps the references of schemas apart.
  const schema = { ...(local(JSON.parse(text)) as object), id: `http://schema.invalid/${++schemas}` };
  // The schema of schemas has references, too.
  start(META_SIZE);
  try {
    return { validate: ajv.compile(schema), size: sizeOf(schema) };
  } catch (error) {
    throw new RunFault('ValidationError', `schema is not a JSON Schema: ${(error as Error).message}`);
  } finally {
    ajv.removeSchema(schema);
  }
}

/** Removes IDs, which all schemas of the platform would share. Throws a `RunFault` for references to other documents. */
function local(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(local);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).filter(
    ([name, value]) => !((name === 'id' || name === '$schema') && typeof value === 'string'),
  );
  return Object.fromEntries(
    members.map(([name, value]) => {
      if (name === '$ref' && typeof value === 'string' && !value.startsWith('#'))
        throw new RunFault('ValidationError', 'schema can only have references that begin with #');
      return [name, name === 'enum' && Array.isArray(value) ? value : local(value)];
    }),
  );
}

/** Returns the number of values in a value that is not nested too deeply. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let size = sizes.get(value);
  if (size === undefined) {
    size = Object.values(value).reduce<number>((sum, item) => sum + sizeOf(item), 1);
    sizes.set(value, size);
  }
  return size;
}

/** Returns a value with the members of its objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.entries(value)
    .map(([name, item]) => [name, sorted(item)])
    .sort(([one], [other]) => (one! < other! ? -1 : 1));
}

function faultOf(error: ErrorObject): SchemaFault {
  const path = error.instancePath.replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const missing = error.keyword === 'required' ? `.${String(error.params.missingProperty)}` : '';
  return { field: `data${path}${missing}`, message: messageOf(error) };
}
