import { copied } from './serialize.js';
import type { ClosedShape, Member, Shape } from './shape.js';

/** Extracts the documented part of a JSON text. */
export type TextCopier = (text: string) => string;

/** Length above which a text is copied without matching, because matching needs memory. */
const MAX_MATCHED_LENGTH = 64 * 1024;
/** Maximum nesting of undocumented values; deeper ones are copied. */
const MAX_DEPTH = 4;

const STRING = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const PLAIN = String.raw`${STRING}|true|false|-?\d[\d.eE+-]*`;
const COLON = String.raw`\s?:\s*`;

/**
 * Compiles a function that removes from a JSON text, such as that of a JSON column in PostgreSQL, the parts that
 * `shape` does not contain. Usually there is nothing to remove: a regular expression generated from the shape then
 * matches the whole text, which is returned unchanged. This takes a fifth of the time of parsing, copying and
 * serializing, which is the fallback.
 */
export function compileTextCopier(shape: ClosedShape): TextCopier {
  const shown = new RegExp(`^(?:${patternOf(shape)})$`);
  return (text) =>
    text.length <= MAX_MATCHED_LENGTH && shown.test(text)
      ? text
      : JSON.stringify(copied(shape, JSON.parse(text) as unknown) ?? null);
}

// The next character decides how to continue at each position, so matching takes linear time.

/** Matches completely documented text except `null`, which is rarely allowed. */
function patternOf(shape: Shape): string {
  if (shape === 'all') return anything(MAX_DEPTH);
  const { members, items, withoutSecrets } = shape;
  // A pattern cannot decide which text is a secret.
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

/** Matches any value up to this depth. */
function anything(depth: number): string {
  if (depth === 0) return PLAIN;
  const below = anything(depth - 1);
  return `${PLAIN}|${listOf(below)}|${membersOf(`${STRING}${COLON}(?:null|${below})`)}`;
}

const listOf = (item: string): string => String.raw`\[(?:(?:null|${item})(?:,\s*|(?=\])))*\]`;
const membersOf = (member: string): string =>
  member ? String.raw`\{(?:(?:${member})(?:,\s*|(?=\})))*\}` : String.raw`\{\}`;

/** Returns the name of a member as JSON, escaped for a regular expression. */
const escaped = (name: string): string =>
  JSON.stringify(name)
    .slice(1, -1)
    .replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
