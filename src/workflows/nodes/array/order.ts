/**
 * Compares numbers and dates by value, texts by code unit, `false` before `true`, and different types by type: missing
 * values, Booleans, numbers, texts, others. Lists and objects are equal.
 */
export function compareItems(one: unknown, other: unknown): number {
  const [rank, otherRank] = [rankOf(one), rankOf(other)];
  if (rank !== otherRank || rank === 0 || rank === CONTAINER) return rank - otherRank;
  const [left, right] = [one as number, other as number];
  return left < right ? -1 : left > right ? 1 : 0;
}

const RANKS: Readonly<Record<string, number>> = { undefined: 0, boolean: 1, number: 2, string: 3 };
const CONTAINER = 4;

function rankOf(value: unknown): number {
  if (value === null) return 0;
  return value instanceof Date ? RANKS.number! : (RANKS[typeof value] ?? CONTAINER);
}
