import fc from 'fast-check';
import type { QueryFieldKind } from '../../src/platform/lists/query-operators.js';

export type Json = Record<string, unknown>;
/** Kinds of the attributes that a query may use. */
export type Kinds = Readonly<Record<string, QueryFieldKind>>;

// A few values, so that matches are frequent, chosen to test `LIKE`, letter case and sorting.
const TEXTS = ['', 'a', 'A', 'ab', 'aB', 'b', 'é', 'É', 'a%b', 'a_b', 'a\\b', '%', '_', '\\', 'axb'];
export const text = fc.constantFrom(...TEXTS, '😀', '\uffee', "'");
export const id = fc.constantFrom('0'.repeat(24), 'a'.repeat(24), '575ec8687ae143cd83dc4a97');
export const date = fc.constantFrom(
  '0001-01-01T00:00:00.000Z',
  '1970-01-01T00:00:00.000Z',
  '2026-06-13T04:00:00.123Z',
  '9999-12-31T23:59:59.999Z',
);
const tagKey = fc.constantFrom('floor', 'room', 'Floor');
const tagValue = fc.constantFrom('1', '2', '', 'a%');
export const tags = fc.array(fc.record({ key: tagKey, value: tagValue }), { maxLength: 3 });
const config = fc.dictionary(
  fc.constantFrom('seconds', 'cron', 'a-b_1'),
  fc.constantFrom<unknown>('1', 1, 0.5, true, false, "'", null),
  { maxKeys: 2 },
);
const entryType = fc.constantFrom('timer', 'webhook', "a'b");
const key = fc.constantFrom('a', 'A', '575ec8687ae143cd83dc4a97');
const optionalMembers = { requiredKeys: ['type' as const] };
/** Triggers as stored; their configuration also has members that queries cannot use. */
export const triggers = fc.array(
  fc.record({ type: entryType, key, config: deeper(config) }, optionalMembers),
  { maxLength: 3 },
);
export const nodes = fc.array(fc.record({ type: entryType, config: deeper(config) }, optionalMembers), {
  maxLength: 3,
});

function deeper(members: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc.tuple(members, fc.boolean()).map(([flat, deep]) => (deep ? { ...flat, list: [flat] } : flat));
}

export const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 5 });

/** Generates conditions on a field, with operands from `value`. */
function asked(
  value: fc.Arbitrary<unknown>,
  more: Record<string, fc.Arbitrary<unknown>>,
  max?: number,
): fc.Arbitrary<unknown> {
  const list = fc.array(value, { maxLength: 3 });
  const operands = { $eq: optional(value), $ne: optional(value), $in: list, $nin: list, ...more };
  const one = fc.oneof(
    ...Object.entries(operands).map(([name, operand]) => operand.map((given) => ({ [name]: given }))),
  );
  const operators = max === 1 ? one : fc.tuple(one, one).map(([first, second]) => ({ ...first, ...second }));
  return fc.oneof(optional(value), operators);
}

const order = (value: fc.Arbitrary<unknown>) => ({ $gt: value, $gte: value, $lt: value, $lte: value });
const some = text.filter((value) => value !== '');
const part = (value: fc.Arbitrary<string>) => {
  const list = fc.array(value, { maxLength: 2 });
  return fc.oneof(optional(value), fc.record({ $in: list }), fc.record({ $nin: list }));
};
const tag = optional(
  fc.oneof(
    fc.record({ $tagKey: part(tagKey), $tagValue: part(tagValue) }),
    fc.record({ $tagKey: part(tagKey) }),
    fc.record({ $tagValue: part(tagValue) }),
    fc.dictionary(tagKey, part(tagValue), { minKeys: 1, maxKeys: 2 }),
  ),
);
const within = (value: fc.Arbitrary<unknown>) =>
  fc.oneof(value, fc.record({ $eq: value }), fc.record({ $ne: value }));

/** Generates conditions on an attribute of a kind, with operands from `value`. */
function conditionOn(kind: QueryFieldKind, value: fc.Arbitrary<any>): fc.Arbitrary<unknown> {
  switch (kind) {
    case 'string':
    case 'strings':
      return fc
        .tuple(
          asked(value, { ...order(text), $startsWith: some, $endsWith: some, $contains: some }),
          fc.boolean(),
        )
        .map(([query, ci]) => (typeof query === 'object' && query !== null ? { ...query, $ci: ci } : query));
    case 'id':
    case 'ids': {
      const anyCase = fc
        .tuple(value, fc.boolean())
        .map(([one, upper]: [string, boolean]) => (upper ? one.toUpperCase() : one));
      return asked(anyCase, order(anyCase), 1);
    }
    case 'date': {
      const anyDate = fc
        .tuple(value, fc.boolean())
        .map(([one, number]: [string, boolean]) => (number ? Date.parse(one) : one));
      return asked(anyDate, order(anyDate));
    }
    case 'boolean':
      return asked(value, {});
    case 'number':
      return asked(value, order(value));
    case 'tags':
      return within(tag);
    case 'triggers':
      return within(fc.record({ type: entryType, key, config }, optionalMembers));
    case 'nodes':
      return within(fc.record({ type: entryType, config }, optionalMembers));
  }
}

/** Generates advanced queries over attributes of the given kinds, compared with `values`. */
export function queriesOver(kinds: Kinds, values: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
  const condition = fc.oneof(
    ...Object.entries(kinds).map(([name, kind]) =>
      conditionOn(kind, values[name] ?? fc.constant(null)).map((given) => ({ [name]: given })),
    ),
  );
  return fc.letrec<{ query: Json }>((tie) => {
    const nested = fc.array(tie('query'), { maxLength: 3 });
    const logical = (name: string) => nested.map((queries) => ({ [name]: queries }));
    return {
      query: fc.oneof(
        { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
        { arbitrary: condition, weight: 4 },
        {
          arbitrary: fc.tuple(condition, condition).map(([one, other]) => ({ ...one, ...other })),
          weight: 1,
        },
        { arbitrary: fc.oneof(logical('$and'), logical('$or'), logical('$nor')), weight: 3 },
      ),
    };
  }).query;
}

/** Evaluates a query without SQL, as an independent reference implementation. */
export function matches(asking: Json, row: Readonly<Json>, kinds: Kinds): boolean {
  return Object.entries(asking).every(([name, value]) => {
    const nested = value as Json[];
    if (name === '$and') return nested.every((one) => matches(one, row, kinds));
    if (name === '$or') return nested.some((one) => matches(one, row, kinds));
    if (name === '$nor') return nested.length > 0 && !nested.some((one) => matches(one, row, kinds));
    const kind = kinds[name]!;
    const stored = row[name];
    if (kind === 'tags') return matchesWithin(value, (one) => matchesTags(one, (stored ?? []) as Tag[]));
    if (kind === 'triggers' || kind === 'nodes')
      return matchesWithin(value, (one) =>
        ((stored ?? []) as Entry[]).some((entry) => isSuch(entry, one as Entry)),
      );
    const operators: Json = isObject(value) ? value : { $eq: value };
    return Object.entries(operators).every(([operator, operand]) => {
      const isId = kind === 'id' || kind === 'ids';
      const fold = (given: unknown) => comparable(given, isId || operators.$ci === true, kind);
      if (operator === '$ci') return true;
      if (kind === 'strings' || kind === 'ids') {
        const elements = ((stored as string[] | null) ?? []).map(fold);
        if (operand === null) return (operator === '$eq') === (elements.length === 0);
        if (operator === '$ne') return !elements.includes(fold(operand));
        if (operator === '$nin')
          return !elements.some((element) => (operand as unknown[]).map(fold).includes(element));
        return elements.some((element) => holds(operator, element, operand, fold));
      }
      return holds(operator, fold(stored ?? null), operand, fold);
    });
  });
}

type Comparable = string | number | boolean | null;

function holds(
  operator: string,
  stored: Comparable,
  operand: unknown,
  fold: (given: unknown) => Comparable,
): boolean {
  switch (operator) {
    case '$eq':
      return stored === fold(operand);
    case '$ne':
      return stored !== fold(operand);
    case '$in':
      return (operand as unknown[]).map(fold).includes(stored);
    case '$nin':
      return !(operand as unknown[]).map(fold).includes(stored);
  }
  if (stored === null) return false;
  const other = fold(operand)!;
  switch (operator) {
    case '$gt':
      return compare(stored, other) > 0;
    case '$gte':
      return compare(stored, other) >= 0;
    case '$lt':
      return compare(stored, other) < 0;
    case '$lte':
      return compare(stored, other) <= 0;
    case '$startsWith':
      return String(stored).startsWith(String(other));
    case '$endsWith':
      return String(stored).endsWith(String(other));
    case '$contains':
      return String(stored).includes(String(other));
  }
  throw new Error(`${operator} has no meaning`);
}

function comparable(given: unknown, fold: boolean, kind: QueryFieldKind): Comparable {
  if (given === null) return null;
  if (kind === 'date') return new Date(given as string | number).getTime();
  return typeof given === 'string' && fold ? given.toLowerCase() : (given as Comparable);
}

/** Compares by code point, as UTF-8 sorts. */
function compare(one: Comparable, other: Comparable): number {
  if (typeof one === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(String(other)));
  return Number(one) - Number(other);
}

function matchesWithin(asking: unknown, has: (one: unknown) => boolean): boolean {
  if (isObject(asking) && '$eq' in asking) return has(asking.$eq);
  if (isObject(asking) && '$ne' in asking) return !has(asking.$ne);
  return has(asking);
}

interface Tag {
  key: string;
  value: string;
}

function matchesTags(asking: unknown, stored: Tag[]): boolean {
  if (asking === null) return stored.length === 0;
  const pattern = asking as Json;
  if ('$tagKey' in pattern || '$tagValue' in pattern)
    return matchesTag(pattern.$tagKey, pattern.$tagValue, stored);
  return Object.entries(pattern).every(([name, value]) => matchesTag(name, value, stored));
}

function matchesTag(name: unknown, value: unknown, stored: Tag[]): boolean {
  const found = stored.some((one) => meets(one.key, name) && meets(one.value, value));
  return name === null || value === null ? !found : found;
}

function meets(stored: string, wanted: unknown): boolean {
  if (wanted === undefined || wanted === null) return true;
  if (!isObject(wanted)) return stored === wanted;
  return '$in' in wanted
    ? (wanted.$in as string[]).includes(stored)
    : !(wanted.$nin as string[]).includes(stored);
}

interface Entry {
  type: string;
  key?: string;
  config?: Json;
}

function isSuch(entry: Entry, wanted: Entry): boolean {
  return (
    entry.type === wanted.type &&
    (wanted.key === undefined || entry.key === wanted.key) &&
    Object.entries(wanted.config ?? {}).every(([name, value]) => (entry.config?.[name] ?? null) === value)
  );
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
