import fc from 'fast-check';
import { escapeLike, globToLike, matchesGlob } from './glob.js';

/** Evaluates a LIKE pattern with a regular expression, which is safe for the short patterns of these tests. */
function matchesLike(like: string, text: string): boolean {
  const source = like.replace(/\\(.)|./gsu, (character, escaped?: string) => {
    if (escaped === undefined && character === '%') return '.*';
    if (escaped === undefined && character === '_') return '.';
    return `\\u{${(escaped ?? character).codePointAt(0)!.toString(16)}}`;
  });
  return new RegExp(`^${source}$`, 'su').test(text);
}

describe('globToLike', () => {
  it.each([
    ['pump*', 'pump%'],
    ['p?mp', 'p_mp'],
    ['100%', '100\\%'],
    ['a_b', 'a\\_b'],
    ['\\*\\?', '*?'],
    ['\\%', '\\%'],
    ['a\\\\b', 'a\\\\b'],
    ['ends\\', 'ends\\\\'],
    ['[a-z]{1,2}!(x)', '[a-z]{1,2}!(x)'],
    ['a\nb*', 'a\nb%'],
    ['\\😀?', '😀_'],
    ['', ''],
  ])('converts %j to %j', (glob, like) => {
    expect(globToLike(glob)).toBe(like);
  });

  it('matches the same texts as the glob', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '%', '_', '\\', '*', '?', '\n', '😀'),
      maxLength: 7,
    });
    fc.assert(
      fc.property(text, text, (glob, subject) => {
        expect(matchesLike(globToLike(glob), subject)).toBe(matchesGlob(glob, subject));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('matchesGlob', () => {
  it.each([
    ['PUMP*', 'pump 3', true],
    ['pump', 'Pump', true],
    ['pump', 'pump 3', false],
    ['*3', 'pump 3', true],
    ['p?m?', 'pump', true],
    ['p\\*', 'pump', false],
    ['p\\*', 'p*', true],
    ['', '', true],
    ['', 'a', false],
    ['**', '', true],
  ])('matches %j with %j: %s', (glob, text, matches) => {
    expect(matchesGlob(glob, text)).toBe(matches);
  });
});

describe('escapeLike', () => {
  it('leaves no special characters in the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 10 }), (text) =>
        matchesLike(escapeLike(text), text),
      ),
    );
    expect(escapeLike('50%_\\')).toBe('50\\%\\_\\\\');
  });
});
