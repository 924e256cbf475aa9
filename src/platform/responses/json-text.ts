import { copied } from './serialize.js';
import type { ClosedShape, Member, Shape } from './shape.js';

/** Takes from a JSON text what is shown of it. */
export type TextCopier = (text: string) => string;

/** A longer text is copied without being looked over: matching one takes memory. */
const LONGEST = 64 * 1024;
/** So deep may a value nest of which all is shown; one that is deeper is copied. */
const DEEPEST = 4;

const STRING = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const PLAIN = String.raw`${STRING}|true|false|-?\d[\d.eE+-]*`;
const COLON = String.raw`\s?:\s*`;

/**
 * A function that leaves out of a JSON text, such as PostgreSQL returns for a JSON column, what `shape` does not show.
 * Nearly always that is nothing: one regular expression, made from the shape, then finds that all of the text is shown,
 * and it stays as it is. That takes a fifth of what it takes to parse, copy and write it, which is done to any other.
 */
export function compileTextCopier(shape: ClosedShape): TextCopier {
  const shown = new RegExp(`^(?:${patternOf(shape)})$`);
  return (text) =>
    text.length <= LONGEST && shown.test(text)
      ? text
      : JSON.stringify(copied(shape, JSON.parse(text) as unknown) ?? null);
}

// What follows is decided by the next character in every place, so no text takes longer than its length.

/** Text of which all is shown, but for `null`, which stands in few places. */
function patternOf(shape: Shape): string {
  if (shape === 'all') return anything(DEEPEST);
  const { members, items, withoutSecrets } = shape;
  // Which text is a secret is not for a pattern to say.
  if (withoutSecrets) return '(?!)';
  return [
    PLAIN,
    ...(items ? [listOf(patternOf(items))] : []),
    ...(members ? [objectOf(members, shape.others)] : []),
  ].join('|');
}

function objectOf(members: ReadonlyMap<string, Member>, others: Member | undefined): string {
  const named = [...members].map(([name, member]) => ({ name: escaped(name), value: valueOf(member) }));
  const namesOf = (value: string) => named.filter((member) => member.value === value).map(({ name }) => name);
  const alike = [...new Set(named.map(({ value }) => value))].map(
    (value) => `"(?:${namesOf(value).join('|')})"${COLON}(?:${value})`,
  );
  const known = named.map(({ name }) => name).join('|');
  const other = others ? [`(?!"(?:${known})")${STRING}${COLON}(?:${valueOf(others)})`] : [];
  return membersOf([...alike, ...other].join('|'));
}

function valueOf({ shape, nullable }: Member): string {
  return nullable ? `null|${patternOf(shape)}` : patternOf(shape);
}

/** Any value that nests no deeper. */
function anything(depth: number): string {
  if (depth === 0) return PLAIN;
  const below = anything(depth - 1);
  return `${PLAIN}|${listOf(below)}|${membersOf(`${STRING}${COLON}(?:null|${below})`)}`;
}

const listOf = (item: string): string => String.raw`\[(?:(?:null|${item})(?:,\s*|(?=\])))*\]`;
const membersOf = (member: string): string =>
  member ? String.raw`\{(?:(?:${member})(?:,\s*|(?=\})))*\}` : String.raw`\{\}`;

/** The name of a member as JSON, in a regular expression. */
const escaped = (name: string): string =>
  JSON.stringify(name)
    .slice(1, -1)
    .replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
