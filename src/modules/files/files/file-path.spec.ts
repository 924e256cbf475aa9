import fc from 'fast-check';
import { uploadOf } from './file-contents.js';
import { bytesOf, isMediaType, parseName, parsePath, pathOf } from './file-path.js';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('.', '/', '\\', '\0', 'a', 'é', 'é', '\u202e', '💥', ' '),
    maxLength: 12,
  }),
);
const read = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

it('A valid path resolves to the directory that it shows and nothing else', () => {
  fc.assert(
    fc.property(text, (given) => {
      const names = read(() => parsePath(given, 'path'));
      if (!names) return;
      for (const name of names) {
        expect(['', '.', '..']).not.toContain(name);
        expect(name).not.toMatch(/[/\\\p{Cc}]/u);
        expect(parseName(name, 'name')).toBe(name);
      }
      expect(bytesOf(names)).toBeLessThanOrEqual(1024);
      // The formatted path parses to the same names, however it was written.
      expect(parsePath(pathOf(names), 'path')).toEqual(names);
      expect(
        new URL(`http://a${names.map((name) => `/${encodeURIComponent(name)}`).join('')}`).pathname.split(
          '/',
        ),
      ).toHaveLength(Math.max(names.length + 1, 2));
    }),
    { numRuns: 2_000 },
  );
});

it('A name that is not an upload key is not parsed as one', () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(uploadOf(given)).toBeUndefined();
      expect(uploadOf(`files/${given}/${'a'.repeat(24)}/${'b'.repeat(24)}`)).toBeUndefined();
    }),
  );
});

it.each([
  ['/a/b/', ['a', 'b']],
  ['a/b', ['a', 'b']],
  ['/', []],
  ['', []],
  ['Ü/日本', ['Ü', '日本']],
])('The path %j is parsed to %j', (path, names) => {
  expect(parsePath(path, 'path')).toEqual(names);
});

it.each([
  '..',
  'a/../b',
  './a',
  'a//b',
  '//a',
  'a\\b',
  'a\0b',
  'a\nb',
  '\u202egpj',
  'x'.repeat(1025),
  'a/'.repeat(101),
])('The path %j is rejected', (path) => {
  expect(() => parsePath(path, 'path')).toThrow(/^path /);
});

it.each([
  ['image/png', true],
  ['text/plain; charset=utf-8', true],
  ['text/html\r\nSet-Cookie: a', false],
  ['text', false],
  ['', false],
])('%j is a media type: %s', (type, is) => {
  expect(isMediaType(type)).toBe(is);
});
