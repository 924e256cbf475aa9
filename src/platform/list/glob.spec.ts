import fc from 'fast-check';
import { escapeLike, globToLike } from './glob.js';

/** The meaning of a glob, without SQL: one pass over the text that goes back to the last star only. */
function matchesGlob(glob: string, text: string): boolean {
  const pattern = [...glob.matchAll(/\\(.)|./gsu)].map(([character, escaped]) => ({
    literal: escaped ?? character,
    wild: escaped === undefined && (character === '*' || character === '?') ? character : '',
  }));
  const characters = [...text];
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < characters.length) {
    const part = pattern[p];
    if (part?.wild === '*') {
      star = p++;
      resume = t;
    } else if (part && (part.wild === '?' || part.literal === characters[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else return false;
  }
  while (pattern[p]?.wild === '*') p++;
  return p === pattern.length;
}

/** The meaning of a LIKE pattern, by a regular expression that is safe for the short patterns of these tests. */
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
  ])('turns %j into %j', (glob, like) => {
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

describe('escapeLike', () => {
  it('leaves nothing special in the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 10 }), (text) =>
        matchesLike(escapeLike(text), text),
      ),
    );
    expect(escapeLike('50%_\\')).toBe('50\\%\\_\\\\');
  });
});
