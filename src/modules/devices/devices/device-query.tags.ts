import { isObject } from '../../../platform/lists/query-operators.js';

/** A tag that a query asks for: one of the keys, with one of the values; what is absent may be any. */
export interface TagTest {
  keys?: readonly string[];
  values?: readonly string[];
}

/** More of them narrow little and are planned for long. */
const MOST_GROUPS = 4;

/**
 * What an advanced query of devices asks of tags at least: a device that it finds has, for each of these groups, a tag that
 * meets one of the group's tests. None where nothing follows: it may then find devices whatever their tags are. What is no
 * query has no meaning here; whoever compiles it refuses it.
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
    .slice(0, MOST_GROUPS);
}

/** Of alternatives each of which asks for a tag, one of these tags is needed. */
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
    // `null` asks that there be no such tag.
    if (key === null || value === null) return [];
    const test = { keys: textsOf(key), values: textsOf(value) };
    return (test.keys ?? test.values) ? [[test]] : [];
  });
}

/** The texts of which a part has to be one; nothing where it may be another. */
function textsOf(part: unknown): string[] | undefined {
  const texts: unknown = isObject(part) ? part.$in : [part];
  return Array.isArray(texts) && texts.every((text) => typeof text === 'string') ? texts : undefined;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
