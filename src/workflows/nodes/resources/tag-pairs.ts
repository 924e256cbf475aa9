import * as setting from '../settings.js';

const MAX_PAIRS = 100;

/** Keys and values of tags. */
export const tagPairs = setting.list(
  setting.group({ keyTemplate: setting.template, valueTemplate: setting.template }),
  MAX_PAIRS,
);

export type TagPairs = setting.Read<typeof tagPairs>;

/** A tag; a blank key or value of a search matches any. */
export interface TagPair {
  readonly key: string;
  readonly value: string;
}

/** Returns the pairs that are not blank. */
export const renderedPairs = (pairs: TagPairs, payload: unknown): TagPair[] =>
  pairs
    .map(({ keyTemplate, valueTemplate }) => ({ key: keyTemplate(payload), value: valueTemplate(payload) }))
    .filter(({ key, value }) => key !== '' || value !== '');

/** Returns the pairs that have a key. */
export const keyedPairs = (pairs: TagPairs, payload: unknown): TagPair[] =>
  renderedPairs(pairs, payload).filter(({ key }) => key !== '');

/** Returns conditions of an advanced query, one for each tag, on a property with tags. */
export const tagConditions = (property: string, pairs: readonly TagPair[]): object[] =>
  pairs.map(({ key, value }) => ({
    [property]: {
      $eq: { ...(key !== '' && { $tagKey: key }), ...(value !== '' && { $tagValue: value }) },
    },
  }));

/** Returns tags with one value as an object. Tags without a value are left out. */
export const tagsOf = (pairs: readonly TagPair[]): Record<string, string> =>
  Object.fromEntries(pairs.filter(({ value }) => value !== '').map(({ key, value }) => [key, value]));

/**
 * Changes tags with one value: sets those with a value, and removes those without.
 */
export function mergedTags(
  current: Readonly<Record<string, string>>,
  pairs: readonly TagPair[],
): Record<string, string> {
  const changed = new Set(pairs.map(({ key }) => key));
  const kept = Object.entries(current).filter(([key]) => !changed.has(key));
  return { ...Object.fromEntries(kept), ...tagsOf(pairs) };
}
