import fc from 'fast-check';
import { SafePattern } from './safe-pattern.js';
import { PatternError } from './search.js';

const PATTERNS = [
  '',
  'a',
  'a|',
  '^$',
  '^a.c$',
  '[^]',
  '[]',
  '[\\]a]b',
  '^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$',
  '^(?=.*[A-C])(?=.*\\d).{4,}$',
  '(?!a)b',
  '(?<=a)b',
  '(?<!a|bc)b+',
  '^(?:(?!ab).)*$',
  '\\bab\\b|\\B\\.',
  '^(a|b)*?c{2}$',
  '^a{2}$|^b{1,}$|^c{0,2}$|^d{2,3}?$',
  'a{,2}',
  'a{b}]',
  '^(?<first>a)(b)?$',
  '^\\x61\\u0062\\cA?$',
  '^\\d+(\\.\\d{1,2})?$',
  '^\\p$',
  '\\/\\-\\.',
  '(a*)*b',
  '^(a?){3}a{3}$',
  '^(?:a|b|ab)(?:c|bcd)(?:d*)$',
  '(?=(?<=a)b)',
  '(?:)+',
];

describe('SafePattern', () => {
  it.each(PATTERNS)('matches the same texts as RegExp: %s', (source) => {
    const pattern = new SafePattern(source);
    const expected = new RegExp(source);
    const character = fc.constantFrom(...'aabbcd012.@-/A \n\u0001ép{2,}]');
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 12 }), (text) => {
        expect(pattern.test(text)).toBe(expected.test(text));
      }),
      { numRuns: 300 },
    );
  });

  it('matches the same texts as RegExp for patterns of any structure', () => {
    const { source } = fc.letrec<{ source: string; atom: string }>((tie) => ({
      atom: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('a', 'b', '.', '[^a]', '\\w', '\\b', '^', '$', ''),
        fc
          .tuple(fc.constantFrom('(', '(?:', '(?=', '(?!', '(?<=', '(?<!'), tie('source'))
          .map(([open, inner]) => `(?:${open}${inner}))`),
      ),
      source: fc.oneof(
        { depthSize: 'small' },
        tie('atom'),
        fc
          .tuple(tie('atom'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}', '*?'))
          .map(([atom, quantifier]) => `(?:${atom})${quantifier}`),
        fc.tuple(tie('source'), tie('source')).map((both) => both.join('')),
        fc.tuple(tie('source'), tie('source')).map((both) => both.join('|')),
      ),
    }));
    fc.assert(
      fc.property(
        source,
        fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 6 }),
        (given, text) => {
          expect(new SafePattern(given).test(text)).toBe(new RegExp(given).test(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each([
    '(a+)+$',
    '^(a|a)*$',
    '(a*)*(a*)*(a*)*(a*)*b',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(?=(a+)+b)',
    '(a|aa)+$',
  ])('decides about a text for which RegExp would take years: %s', (source) => {
    expect(new SafePattern(source).test('a'.repeat(500) + '!')).toBe(false);
  });

  it.each([
    ['^(a.*b|a)*$', 'a'.repeat(5000)],
    ['(){1000000000}', ''],
    ['a', 'b'.repeat(1_000_000)],
  ])('refuses a search of too many steps: %s', (source, text) => {
    expect(() => new SafePattern(source).test(text)).toThrow(PatternError);
  });

  it.each([
    ['an open group', '('],
    ['two quantifiers', 'a**'],
    ['a reference', '(a)\\1'],
    ['a reference by name', '(?<n>a)\\k<n>'],
    ['an octal number', '\\01'],
    ['too many characters', 'a'.repeat(4097)],
    ['too many nested groups', '('.repeat(201) + ')'.repeat(201)],
  ])('refuses a pattern with %s', (_title, source) => {
    expect(() => new SafePattern(source)).toThrow(PatternError);
  });
});
