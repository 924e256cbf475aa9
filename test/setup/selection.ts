import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

// Selects the rows of the suites over the whole API, and the extent of each.
//
// - `ONLY=orgs,org`: only operations of these resources or families, with the suites of their families.
// - `FULL=1`: all variants of each operation instead of a sample.
// - `SEED=…`: the sample and property inputs of an earlier run, which printed its seed.
// - `SINCE=main`: base for changes (default `HEAD~1`). Operations of families changed since then are tested in full.

const { ONLY, FULL, SEED = '0', SINCE = 'HEAD~1' } = process.env;
const MODULES = join('src', 'modules');

const only = ONLY ? new Set(ONLY.split(',').map((name) => name.trim())) : undefined;

/** The family of each operation: the folder of its controller in `src/modules`. */
const families = new Map(
  readdirSync(MODULES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.controller.ts'))
    .flatMap((file) => {
      const operations = readFileSync(join(MODULES, file), 'utf8').matchAll(/@Operation\(\s*'([^']+)'/g);
      return [...operations].map(([, id]) => [id!, file.split(sep)[1]!] as const);
    }),
);

/** Folders in `src/modules` with changes since `SINCE`, committed or not; empty without Git. */
const changed = new Set(
  [
    ['diff', '--name-only', '--relative', SINCE],
    ['diff', '--name-only', '--relative', 'HEAD'],
    ['ls-files', '--others', '--exclude-standard'],
  ]
    .flatMap((command) => git(command).split('\n'))
    .flatMap((file) =>
      isTestFile(file) ? [] : (/^src\/modules\/[^/]+\/([^/]+)\/.*\.ts$/.exec(file)?.[1] ?? []),
    ),
);

/** The families selected by `ONLY`, by name or by resource; `undefined` if it is not set. */
export const onlyFamilies = only && [
  ...new Set([...families].filter(([id]) => isNamed(id)).map(([, family]) => family)),
];

/** Whether a file of `src` is a test, or what families keep for suites over the whole API. */
export function isTestFile(file: string): boolean {
  return /(spec|\.samples|\.published)\.ts$/.test(file);
}

/** Returns the operations that are selected. */
export function selected<T extends { id: string }>(operations: readonly T[]): T[] {
  return operations.filter(({ id }) => !only || isNamed(id));
}

/**
 * Returns a sample of items for an operation, at most `count` of each group, according to the seed of the run. Returns
 * all items with `FULL` or if the operation's family has changed.
 */
export function sample<T>(
  operation: string,
  items: readonly T[],
  count: number,
  groupOf: (item: T) => string = () => '',
): T[] {
  if (FULL || changed.has(families.get(operation) ?? '')) return [...items];
  const groups = new Map<string, T[]>();
  const random = generator(`${SEED} ${operation}`);
  for (const { item } of items.map((item) => ({ item, at: random() })).sort((a, b) => a.at - b.at)) {
    const group = groups.get(groupOf(item)) ?? [];
    if (group.length < count) groups.set(groupOf(item), [...group, item]);
  }
  const chosen = new Set([...groups.values()].flat());
  return items.filter((item) => chosen.has(item));
}

/** Returns a time-out in milliseconds for a test that repeats work for each item. */
export const timeouts = (many: readonly unknown[]): number => 30_000 + 500 * many.length;

function isNamed(operation: string): boolean {
  return only!.has(operation.split('.')[0]!) || only!.has(families.get(operation)!);
}

function git(command: string[]): string {
  try {
    return execFileSync('git', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

/** Returns a generator of numbers from 0 to 1, seeded with a text (FNV-1a, then mulberry32). */
export function generator(text: string): () => number {
  let state = 0x811c9dc5;
  for (const letter of text) state = Math.imul(state ^ letter.codePointAt(0)!, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
