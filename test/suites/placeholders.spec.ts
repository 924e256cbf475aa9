import { readdirSync, readFileSync } from 'node:fs';
import { tags } from '../../src/families.js';

/** Placeholder in a file for a family that is missing. */
interface Placeholder {
  file: string;
  family: string;
}

/** Returns the placeholders that a file declares with `notYet`. */
const placeholdersIn = (file: string, text: string): Placeholder[] =>
  [...text.matchAll(/\bnotYet\(\s*'(\w+)'/g)].map((match) => ({ file, family: match[1]! }));

/** Returns what to do about placeholders whose family exists. */
const overdue = (placeholders: readonly Placeholder[], existing: ReadonlySet<string>): string[] =>
  placeholders
    .filter(({ family }) => existing.has(family))
    .map(
      ({ file, family }) => `${file}: ${family} exists, so replace notYet('${family}', …) by the real thing`,
    );

const paths = readdirSync('src', { recursive: true, encoding: 'utf8' });
const files = paths.filter((path) => path.endsWith('.ts'));
const found = files.flatMap((path) => placeholdersIn(`src/${path}`, readFileSync(`src/${path}`, 'utf8')));
/** Families by their resources and by their folders; layers beside `modules` by theirs. */
const existing = new Set([
  ...tags.flatMap(({ resources }) => resources),
  ...paths.map((path) => /^(?:modules\/[^/]+\/)?([^/.]+)$/.exec(path)?.[1] ?? ''),
]);

it('no placeholder stands in for a family that exists', () => {
  expect(found.length).toBeGreaterThan(10);
  expect([...existing]).toEqual(expect.arrayContaining(['webhooks', 'device-recipes', 'platform']));
  expect(overdue(found, existing)).toEqual([]);
});

it('a placeholder is overdue once its family exists', () => {
  const text = `const A = notYet('notebooks', 0);\nconst B = notYet(\n  'broker',\n  'Not there yet.',\n);`;
  const declared = placeholdersIn('src/a.ts', text);
  expect(declared.map(({ family }) => family)).toEqual(['notebooks', 'broker']);
  expect(overdue(declared, new Set(['broker', 'webhooks']))).toEqual([
    "src/a.ts: broker exists, so replace notYet('broker', …) by the real thing",
  ]);
});
