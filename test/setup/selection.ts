import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

// Which rows of the suites over the whole API run, and how much of each:
//
//   ONLY=orgs,org   the operations of these resources or families alone, and with them their families' own suites
//   FULL=1          everything that is tried on an operation, in place of a sample
//   SEED=…          the sample of an earlier run, which printed its seed; what properties are tried on follows from it too
//   SINCE=main      what counts as changed: operations of families with changes since are tried whole (HEAD~1)

const { ONLY, FULL, SEED = '0', SINCE = 'HEAD~1' } = process.env;
const MODULES = join('src', 'modules');

const only = ONLY ? new Set(ONLY.split(',').map((name) => name.trim())) : undefined;

/** The family of each operation: the folder in src/modules where its controller is. */
const families = new Map(
  readdirSync(MODULES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.controller.ts'))
    .flatMap((file) => {
      const operations = readFileSync(join(MODULES, file), 'utf8').matchAll(/@Operation\(\s*'([^']+)'/g);
      return [...operations].map(([, id]) => [id!, file.split(sep)[1]!] as const);
    }),
);

/** Folders in src/modules whose code has changed since `SINCE`, committed or not; none without Git. */
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

/** The families that `ONLY` names, by themselves or by a resource; absent without it. */
export const onlyFamilies = only && [
  ...new Set([...families].filter(([id]) => isNamed(id)).map(([, family]) => family)),
];

/** Whether a file of `src` is a test, or what families keep for suites over the whole API. */
export function isTestFile(file: string): boolean {
  return /(spec|\.samples|\.published)\.ts$/.test(file);
}

/** What of the operations is to be tried. */
export function selected<T extends { id: string }>(operations: readonly T[]): T[] {
  return operations.filter(({ id }) => !only || isNamed(id));
}

/**
 * Some of what could be tried on an operation, at most `count` of each group, by the seed of this run; all of it where it
 * was asked for or the operation's family has changed.
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

/** Milliseconds for what is done once for each of many. */
export const patience = (many: readonly unknown[]): number => 30_000 + 500 * many.length;

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

/** Numbers from 0 to 1 that follow from a text (FNV-1a, then mulberry32). */
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
