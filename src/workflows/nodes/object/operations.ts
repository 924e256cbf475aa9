import { hasMembers, type Members } from '../../language/members.js';
import { invalidSetting } from '../../engine/run-error.js';

/** Returns a value as an object. Throws a `RunFault` for other values. */
export function membersOf(value: unknown, at: string): Members {
  if (hasMembers(value)) return value;
  throw invalidSetting(at, 'must be an object');
}

/** Returns a value as a list. Throws a `RunFault` for other values. */
function itemsOf(value: unknown, at: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw invalidSetting(at, 'must be a list');
}

const namesOf = (input: unknown): ReadonlySet<string> => new Set(itemsOf(input, 'inputTemplate').map(String));

/** Operations that replace the object with their result. */
export const CHANGES = {
  assign: (source: unknown, input: unknown) => ({
    ...membersOf(source, 'sourcePath'),
    ...membersOf(input, 'inputTemplate'),
  }),
  mergeDeep: (source: unknown, input: unknown) => merged(source, input),
  omit: (source: unknown, input: unknown) => {
    const names = namesOf(input);
    return Object.fromEntries(
      Object.entries(membersOf(source, 'sourcePath')).filter(([name]) => !names.has(name)),
    );
  },
  pick: (source: unknown, input: unknown) => {
    const members = membersOf(source, 'sourcePath');
    const names = [...namesOf(input)].filter((name) => Object.hasOwn(members, name));
    return Object.fromEntries(names.map((name) => [name, members[name]]));
  },
} as const;

/** Operations that write their result to `outputPath`, and leave the object as it is. */
export const RESULTS = {
  entries: (source: unknown) => Object.entries(membersOf(source, 'sourcePath')),
  fromPairs: (source: unknown) =>
    Object.fromEntries(
      itemsOf(source, 'sourcePath').map((pair) => {
        const [name, value] = itemsOf(pair, 'sourcePath');
        return [String(name), value];
      }),
    ),
  keys: (source: unknown) => Object.keys(membersOf(source, 'sourcePath')),
  values: (source: unknown) => Object.values(membersOf(source, 'sourcePath')),
  zipObject: (source: unknown, input: unknown) => {
    const values = itemsOf(source, 'sourcePath');
    return Object.fromEntries(itemsOf(input, 'inputTemplate').map((name, i) => [String(name), values[i]]));
  },
} as const;

/** Merges the right value into the left: objects by name, lists by index. Other values of the right win. */
function merged(left: unknown, right: unknown): unknown {
  if (right === undefined) return left;
  if (Array.isArray(left) && Array.isArray(right)) {
    const longest = left.length > right.length ? left : right;
    return longest.map((_, i) => merged(left[i], right[i]));
  }
  if (!hasMembers(left) || !hasMembers(right)) return right;
  const members = new Map(Object.entries(left));
  for (const [name, value] of Object.entries(right)) members.set(name, merged(members.get(name), value));
  return Object.fromEntries(members);
}
