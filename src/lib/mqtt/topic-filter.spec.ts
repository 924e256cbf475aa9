import fc from 'fast-check';
import {
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
});
