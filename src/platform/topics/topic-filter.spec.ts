import fc from 'fast-check';
import {
  coversFilter,
  filtersOverlap,
  hasWildcard,
  isTopic,
  isTopicFilter,
  levelsOf,
  matchesTopic,
  MAX_TOPIC_BYTES,
  MAX_TOPIC_LEVELS,
} from './topic-filter.js';

const level = fc.constantFrom('a', 'b', '', '$s');
const topic = fc.array(level, { minLength: 1, maxLength: 4 }).map((levels) => levels.join('/') || 'a');
const filter = fc
  .tuple(fc.array(fc.oneof(level, fc.constant('+')), { maxLength: 3 }), fc.constantFrom('a', '+', '#'))
  .map(([levels, last]) => [...levels, last].join('/'));

/** Returns whether a filter matches a topic, written as the standard says it. */
function matchesPlainly(wanted: string, given: string): boolean {
  const pattern = levelsOf(wanted).map((part) =>
    part === '+' ? '[^/]*' : part === '#' ? '.*' : part.replace('$', '\\$'),
  );
  const text = pattern.join('/').replace(/\/\.\*$/, '(/.*)?');
  return new RegExp(`^${text}$`).test(given) && !(given.startsWith('$') && /^[+#]/.test(wanted));
}

const topics = ['a', 'b', '', '$s'].flatMap((x) =>
  ['a', 'b', '', '$s'].flatMap((y) => [x || 'a', `${x}/${y}`, `${x}/${y}/a`, `${x}/${y}/b`, `${x}/${y}/a/a`]),
);

describe('Topics', () => {
  const longest = 'x'.repeat(MAX_TOPIC_BYTES);

  it.each(['a', '/', 'a//b', 'ä/ö', ' ', 'a/$b', '$SYS/x', longest.slice(1)])('can be %s', (text) => {
    expect([isTopic(text), isTopicFilter(text), hasWildcard(text)]).toEqual([true, true, false]);
  });

  it.each([
    ['that are empty', ''],
    ['with a NUL character', 'a\0b'],
    ['that are too long', `${longest}x`],
    ['that are too long in UTF-8', 'ä'.repeat(MAX_TOPIC_BYTES / 2 + 1)],
    ['with too many levels', '/'.repeat(MAX_TOPIC_LEVELS)],
  ])('and filters %s are invalid', (_, text) => {
    expect([isTopic(text), isTopicFilter(text)]).toEqual([false, false]);
  });

  it.each(['+', '#', 'a/+', '+/a/#', '+/+', '/+/'])('cannot be %j, but filters can', (text) => {
    expect([isTopic(text), isTopicFilter(text), hasWildcard(text)]).toEqual([false, true, true]);
  });

  it.each(['a+', '+a', 'a/#/b', '#/', 'a#', '#a', '++', 'a/b+/c'])('and filters cannot be %j', (text) => {
    expect([isTopic(text), isTopicFilter(text)]).toEqual([false, false]);
  });
});

describe('Filters', () => {
  it('match the topics that the standard says', () => {
    fc.assert(
      fc.property(filter, topic, (wanted, given) => {
        expect(matchesTopic(wanted, given)).toBe(matchesPlainly(wanted, given));
      }),
    );
  });

  it('that cover another one match all of its topics', () => {
    fc.assert(
      fc.property(filter, filter, (outer, inner) => {
        if (!coversFilter(outer, inner)) return;
        const matched = topics.filter((one) => matchesPlainly(inner, one));
        expect(matched.filter((one) => !matchesPlainly(outer, one))).toEqual([]);
      }),
    );
  });

  it.each([
    ['#', 'a/b', true],
    ['#', '#', true],
    ['a/#', 'a', true],
    ['a/#', 'a/+/b', true],
    ['a/+', 'a/b', true],
    ['a/+', 'a/+', true],
    ['+/b', 'a/+', false],
    ['a/+', 'a/#', false],
    ['a/+', 'a/b/c', false],
    ['a/b', 'a/+', false],
    ['a', 'a/#', false],
    ['+/+', '#', false],
    ['#', '$SYS/a', false],
    ['+/a', '$SYS/a', false],
    ['$SYS/#', '$SYS/a', true],
  ])('%j covers %j: %s', (outer, inner, covers) => {
    expect(coversFilter(outer, inner)).toBe(covers);
  });

  it('overlap exactly if a topic matches both', () => {
    fc.assert(
      fc.property(filter, filter, (one, other) => {
        const both = topics.some((given) => matchesPlainly(one, given) && matchesPlainly(other, given));
        if (both) expect(filtersOverlap(one, other)).toBe(true);
        expect(filtersOverlap(one, other)).toBe(filtersOverlap(other, one));
      }),
    );
  });

  it.each([
    ['a/+', '+/b', true],
    ['a/#', 'a', true],
    ['a/#', '+', true],
    ['a/b', 'a/c', false],
    ['a/+/c', 'a/b', false],
    ['a', 'a/b/#', false],
    ['a/b', 'a/b/#', true],
    ['#', '$SYS/a', false],
    ['+/x', '$SYS/x', false],
    ['#', '+/+', true],
  ])('%j and %j overlap: %s', (one, other, overlap) => {
    expect([filtersOverlap(one, other), filtersOverlap(other, one)]).toEqual([overlap, overlap]);
  });
});
