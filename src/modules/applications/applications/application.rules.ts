import { ValidationError } from '../../../lib/errors/errors.js';
import { ID_PATTERN } from '../../../platform/fields/fields.js';
import type { ApplicationGlobal, ApplicationGlobalChange } from './application.resource.js';

const ID = new RegExp(ID_PATTERN);
const MOST_GLOBALS = 100;

/**
 * The globals after `changes`, found by key: members that are given replace, `json: null` removes, and an unknown key
 * is a new global, which needs its `json`.
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
  if (merged.size > MOST_GLOBALS)
    throw new ValidationError(`globals must have at most ${MOST_GLOBALS} entries`);
  return [...merged.values()];
}

/** Throws 400 for a slug that is like an id: each application has its own as one. */
export function checkSlug(slug: string | null | undefined, at: string): void {
  if (slug && ID.test(slug))
    throw new ValidationError(`${at} must not be like an id: those are of applications`);
}
