import { isJson } from '../../lib/json/json.js';
import { ValidationError } from '../../lib/errors/errors.js';

interface GlobalChange {
  key: string;
  json?: string | null;
}

/** Globals with each key once and JSON in each value, or 400. `at` is the name of the list in messages. */
export function checkGlobals(globals: readonly GlobalChange[], at: string): void {
  const keys = new Set<string>();
  globals.forEach(({ key, json }, i) => {
    if (keys.has(key)) throw new ValidationError(`${at}.${i}.key ${JSON.stringify(key)} is a duplicate`);
    keys.add(key);
    if (typeof json === 'string' && !isJson(json))
      throw new ValidationError(`${at}.${i}.json must be JSON as text`);
  });
}
