import { Ajv, type ValidateFunction } from 'ajv';
import { ValidationError } from '../errors/errors.js';
import type { JsonSchema } from '../fields.js';
import { forAjv } from '../response/contract.js';
import { describeFault } from '../response/faults.js';
import { inspect } from '../server/body-guard.js';

const LARGEST_TEXT = 32 * 1024;
const ajv = new Ajv({ strict: false });

/**
 * Reads a parameter whose text is JSON and holds it to `schema`, as the body of a request is held to its own. What is
 * refused begins with the parameter's name.
 */
export function jsonReader(schema: JsonSchema): (name: string, value: unknown) => unknown {
  let validate: ValidateFunction | undefined;
  return (name, text) => {
    if (text === undefined || text === '') return undefined;
    if (typeof text !== 'string') throw new ValidationError(`${name} must be given once, as text`);
    if (Buffer.byteLength(text) > LARGEST_TEXT)
      throw new ValidationError(`${name} must have at most ${LARGEST_TEXT} bytes`);
    const value = parsed(name, text);
    validate ??= ajv.compile(forAjv(schema) as JsonSchema);
    if (!validate(value)) throw new ValidationError(describeFault(name, validate.errors![0]!));
    inspect(value, name);
    return value;
  };
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ValidationError(`${name} must be valid JSON`);
  }
}
