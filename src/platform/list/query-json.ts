import { Ajv, type ValidateFunction } from 'ajv';
import { ValidationError } from '../errors/errors.js';
import type { JsonSchema } from '../fields.js';
import { forAjv } from '../response/contract.js';
import { describeFault } from '../response/faults.js';
import { inspect } from '../server/read-body.js';

const LARGEST_TEXT = 32 * 1024;
const ajv = new Ajv({ strict: false });

/**
 * Reads a parameter whose text is JSON and holds it to `schema`, as the body of a request is held to its own. What is
 * refused begins with the parameter's name. With `brackets` the value may also be what a parser of brackets made.
 */
export function jsonReader(schema: JsonSchema, brackets = false): (name: string, value: unknown) => unknown {
  let validate: ValidateFunction | undefined;
  return (name, given) => {
    if (given === undefined || given === '') return undefined;
    if (typeof given !== 'string' && !brackets)
      throw new ValidationError(`${name} must be given once, as text`);
    const value = typeof given === 'string' ? parsed(name, given) : given;
    validate ??= ajv.compile(forAjv(schema) as JsonSchema);
    if (!validate(value)) throw new ValidationError(describeFault(name, validate.errors![0]!));
    inspect(value, name);
    return value;
  };
}

function parsed(name: string, text: string): unknown {
  if (Buffer.byteLength(text) > LARGEST_TEXT)
    throw new ValidationError(`${name} must have at most ${LARGEST_TEXT} bytes`);
  try {
    return JSON.parse(text);
  } catch {
    throw new ValidationError(`${name} must be valid JSON`);
  }
}
