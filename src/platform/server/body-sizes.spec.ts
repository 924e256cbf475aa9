import { bodySizeOf, formatBytes, tooLarge } from './body-sizes.js';

it.each([
  [128 * 1024, '128 KiB'],
  [1024 ** 2, '1 MiB'],
  [256 * 1024 ** 2, '256 MiB'],
  [5 * 1024 ** 3, '5 GiB'],
])('formatBytes: %d is %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

it.each([
  ['public operations', { scopes: 'public' as const }, '128 KiB', '200,000'],
  ['most operations', { scopes: ['all.User'] }, '1 MiB', '200,000'],
  ['operations on many resources', { scopes: ['all.User'], largeBody: true }, '10 MiB', '500,000'],
])('tooLarge: says the limits of %s', (_which, facts, bytes, values) =>
  expect(tooLarge(bodySizeOf(facts))).toBe(
    `The body is larger than ${bytes}, has more than ${values} values or is nested more than 64 levels deep.`,
  ),
);
