import { isObject } from '../../../lib/json/json.js';

/** Test for a tag with one of the keys and one of the values; an omitted part matches any. */
export interface TagTest {
  keys?: readonly string[];
  values?: readonly string[];
}

/** Maximum number of groups: more of them narrow the result little and take long to plan. */
const MAX_TAG_GROUPS = 4;

/**
 * Returns the tags that an advanced device query requires: a matching device has, for each of these groups, a tag that
 * meets one of the group's tests. Empty if the query implies no tags. Invalid queries are ignored here and rejected
 * when they are compiled.
 */
export function tagsNeededBy(query: unknown): TagTest[][] {
  if (!isObject(query)) return [];
  return Object.entries(query)
    .flatMap(([name, value]) => {
      switch (name) {
        case 'tags':
          return groupsOfTags(value);
        case '$and':
          return listOf(value).flatMap(tagsNeededBy);
        case '$or':
          return groupOfEither(listOf(value));
        default:
          return [];
      }
    })
    .slice(0, MAX_TAG_GROUPS);
}

/** If every alternative requires a tag, one of these tags is required. */
function groupOfEither(alternatives: readonly unknown[]): TagTest[][] {
  const groups = alternatives.flatMap((one) => tagsNeededBy(one).slice(0, 1));
  return groups.length > 0 && groups.length === alternatives.length ? [groups.flat()] : [];
}

function groupsOfTags(asked: unknown): TagTest[][] {
  if (!isObject(asked)) return [];
  const names = Object.keys(asked);
  if (names.length === 1 && names[0] === '$eq') return groupsOfTags(asked.$eq);
  if (names.length === 1 && names[0] === '$ne') return [];
  const isNamed = names.some((name) => name.startsWith('$'));
  const parts = isNamed ? [[asked.$tagKey, asked.$tagValue]] : Object.entries(asked);
  return parts.flatMap(([key, value]) => {
    // `null` requires that the tag does not exist.
    if (key === null || value === null) return [];
    const test = { keys: textsOf(key), values: textsOf(value) };
    return (test.keys ?? test.values) ? [[test]] : [];
  });
}

/** Returns the texts that a part can equal, or `undefined` if it can have other values. */
function textsOf(part: unknown): string[] | undefined {
  const texts: unknown = isObject(part) ? part.$in : [part];
  return Array.isArray(texts) && texts.every((text) => typeof text === 'string') ? texts : undefined;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
