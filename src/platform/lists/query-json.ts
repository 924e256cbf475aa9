import { Ajv, type ValidateFunction } from 'ajv';
import { ValidationError } from '../../lib/errors/errors.js';
import type { JsonSchema } from '../fields/fields.js';
import { forAjv } from '../responses/contract.js';
import { describeFaults } from '../responses/faults.js';
import { inspect } from '../server/read-body.js';

const LARGEST_TEXT = 32 * 1024;
const forJson = new Ajv({ strict: false });
/** In brackets every number and truth value is text. */
const forBrackets = new Ajv({ strict: false, coerceTypes: true });

/**
 * Reads a structured parameter and holds it to `schema`, as the body of a request is held to its own. It is JSON, or what the
 * parser of the query made of brackets (`name[0][type]=…`), or plain text where the schema takes that. What is refused
 * begins with the parameter's name.
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
  if (Buffer.byteLength(text) > LARGEST_TEXT)
    throw new ValidationError(`${name} must have at most ${LARGEST_TEXT} bytes`);
  try {
    return JSON.parse(text);
  } catch {
    throw new ValidationError(`${name} must be valid JSON`);
  }
}
