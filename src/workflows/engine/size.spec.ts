import fc from 'fast-check';
import { fitsJson } from './size.js';

it('knows exactly which values fit, except that commas at ends count', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const bytes = Buffer.byteLength(JSON.stringify(value));
      const commas = JSON.stringify(value).length;
      expect(fitsJson(value, bytes - 1)).toBe(false);
      expect(fitsJson(value, bytes + commas)).toBe(true);
    }),
  );
});

it('counts the characters of an escape', () => {
  expect(fitsJson('\n'.repeat(4), 9)).toBe(false);
  expect(fitsJson('\n'.repeat(4), 10)).toBe(true);
});

it('stops early at an object that would have more bytes than memory', () => {
  let value: unknown = 'x';
  for (let i = 0; i < 200; i++) value = [value, value];
  expect(fitsJson(value, 1_000_000)).toBe(false);
});

it('refuses a value that is too deep to be written', () => {
  let value: unknown = 1;
  for (let i = 0; i < 100_000; i++) value = [value];
  expect(fitsJson(value, 1_000_000)).toBe(false);
});

it('counts dates and members without a value', () => {
  expect(fitsJson({ at: new Date(0), none: undefined }, 60)).toBe(true);
  expect(fitsJson(new Date(0), 25)).toBe(false);
});
