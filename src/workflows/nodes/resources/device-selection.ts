import { isId } from '../../graph/graph.js';
import * as setting from '../settings.js';
import { filled } from './write-mode.js';

export const MAX_SELECTORS = 1_000;

/** Tags of which a device has any. A blank key or value matches any. */
export const deviceTags = setting.list(
  setting.group({ key: setting.text, value: setting.text }),
  MAX_SELECTORS,
);

/** An advanced query without results. */
export const NO_DEVICES = { $nor: [] };

/** Returns an advanced query for a property with an ID; one without results if that is not an ID. */
export const ofId = (property: string, id: string): object =>
  isId(id) ? { [property]: { $eq: id } } : NO_DEVICES;

/**
 * Returns a selection of devices, as bodies of the API have it, or `undefined` if it selects none. `ids` is an ID or a list
 * of IDs; other values are ignored.
 */
export function deviceSelection(
  ids: unknown,
  tags: setting.Read<typeof deviceTags>,
): Record<string, unknown> | undefined {
  const deviceIds = (Array.isArray(ids) ? (ids as unknown[]) : [ids]).filter(isId);
  const given = tags.map((tag) => filled(tag)).filter((tag) => Object.keys(tag).length > 0);
  if (deviceIds.length === 0 && given.length === 0) return undefined;
  return { ...(deviceIds.length > 0 && { deviceIds }), ...(given.length > 0 && { deviceTags: given }) };
}
