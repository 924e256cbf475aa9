import { ValidationError } from '../../../lib/errors/errors.js';
import { ID_PATTERN } from '../../../platform/fields/fields.js';
import type { ApplicationGlobal, ApplicationGlobalChange } from './application.resource.js';

const ID = new RegExp(ID_PATTERN);
const MAX_GLOBALS = 100;

/**
 * Returns the globals after `changes`, matched by key. Given properties replace the existing ones and `json: null`
 * removes the global. An unknown key adds a global, which requires `json`.
 */
export function mergeGlobals(
  globals: readonly ApplicationGlobal[],
  changes: readonly ApplicationGlobalChange[],
): ApplicationGlobal[] {
  const merged = new Map(globals.map((global) => [global.key, global]));
  changes.forEach((change, i) => {
    const { json, ...rest } = change;
    if (json === null) return void merged.delete(change.key);
    const known = merged.get(change.key);
    if (json === undefined && !known)
      throw new ValidationError(`globals.${i}.json is required for a new global`);
    merged.set(change.key, { ...known, ...rest, json: json ?? known!.json });
  });
  if (merged.size > MAX_GLOBALS)
    throw new ValidationError(`globals must have at most ${MAX_GLOBALS} entries`);
  return [...merged.values()];
}

/** Throws 400 for a slug in the format of an ID: each application already has its own ID as a slug. */
export function checkSlug(slug: string | null | undefined, at: string): void {
  if (slug && ID.test(slug)) throw new ValidationError(`${at} must not have the form of an ID`);
}
