import { ValidationError } from '../../platform/errors/errors.js';
import type { ApplicationGlobal, ApplicationGlobalChange } from './application.resource.js';
import { ID_PATTERN } from '../../platform/fields.js';
import type { ApplicationGlobal, ApplicationGlobalChange, ArchiveConfig } from './application.resource.js';

const ID = new RegExp(ID_PATTERN);
const MOST_GLOBALS = 100;

/** Globals with each key once and JSON in each value, or 400. `at` is the name of the list in messages. */
export function checkGlobals(globals: readonly ApplicationGlobalChange[], at: string): void {
  const keys = new Set<string>();
  globals.forEach(({ key, json }, i) => {
    if (keys.has(key)) throw new ValidationError(`${at}.${i}.key ${JSON.stringify(key)} is given twice`);
    keys.add(key);
    if (typeof json === 'string' && !isJson(json))
      throw new ValidationError(`${at}.${i}.json must be JSON as text`);
  });
}

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

/** An archive configuration that an application of such an owner may have, or 400. */
export function checkArchiveConfig(config: ArchiveConfig, ownerType: 'user' | 'organization'): void {
  if (ownerType !== 'organization') {
    throw new ValidationError('application.archiveConfig is only for applications of an organization');
  }
  const places = PLACES.filter((place) => config[place] !== undefined);
  if (places.length !== 1) {
    throw new ValidationError(
      'application.archiveConfig must have exactly one of s3, gcs, azure and credentialName',
    );
  }
}

/** Parts an archive configuration into what may be shown and its secrets. */
export function splitSecrets(config: ArchiveConfig): {
  shown: ArchiveConfig;
  secrets: Record<string, string>;
} {
  const shown: ArchiveConfig = structuredClone(config);
  const secrets: Record<string, string> = {};
  for (const [place, member] of SECRET_MEMBERS) {
    const block = shown[place] as Record<string, string> | undefined;
    if (block?.[member] === undefined) continue;
    secrets[`${place}.${member}`] = block[member];
    delete block[member];
  }
  return { shown, secrets };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
