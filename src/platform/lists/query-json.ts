import { Ajv, type ValidateFunction } from 'ajv';
import { ValidationError } from '../../lib/errors/errors.js';
import type { JsonSchema } from '../fields/fields.js';
import { forAjv } from '../responses/contract.js';
import { describeFaults } from '../../lib/json/schema-faults.js';
import { inspect } from '../server/read-body.js';

/** Maximum length of the JSON text of a parameter, in bytes. */
export const MAX_JSON_LENGTH = 32 * 1024;
const forJson = new Ajv({ strict: false });
/** In brackets, numbers and booleans are text and must be coerced. */
const forBrackets = new Ajv({ strict: false, coerceTypes: true });

/**
 * Returns a parser for a structured parameter, which validates it against `schema` like a request body. The value is
 * JSON, an object from bracket notation (`name[0][type]=…`), or plain text if the schema accepts it. Error messages
 * start with the name of the parameter.
 */
export function jsonReader(schema: JsonSchema): (name: string, value: unknown) => unknown {
  const validators = new Map<Ajv, ValidateFunction>();
  const validatorOf = (ajv: Ajv): ValidateFunction => {
    const validate = validators.get(ajv) ?? ajv.compile(forAjv(schema) as JsonSchema);
    validators.set(ajv, validate);
    return validate;
  };
  return (name, given) => {
    if (given === undefined || given === '') return undefined;
    const isText = typeof given === 'string';
    const validate = validatorOf(isText ? forJson : forBrackets);
    const value = isText && !validate(given) ? parsed(name, given) : given;
    if (!validate(value)) throw new ValidationError(describeFaults(name, validate.errors!));
    inspect(value, name);
    return value;
  };
}

function parsed(name: string, text: string): unknown {
  if (Buffer.byteLength(text) > MAX_JSON_LENGTH)
    throw new ValidationError(`${name} must have at most ${MAX_JSON_LENGTH} bytes`);
  try {
    return JSON.parse(text);
  } catch {
    throw new ValidationError(`${name} must be valid JSON`);
  }
}
