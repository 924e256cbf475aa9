import { tagsNeededBy } from './device-query.tags.js';

const north = { tags: { site: 'north' } };

describe('Tags required by a device query', () => {
  it.each<[string, object, object[][]]>([
    ['a tag', north, [[{ keys: ['site'], values: ['north'] }]]],
    ['a key', { tags: { $eq: { $tagKey: 'site' } } }, [[{ keys: ['site'] }]]],
    ['one of several values', { tags: { $tagValue: { $in: ['a', 'b'] } } }, [[{ values: ['a', 'b'] }]]],
    ['a key whose value is none of some', { tags: { site: { $nin: ['a'] } } }, [[{ keys: ['site'] }]]],
    [
      'each of several',
      { $and: [north, { tags: { zone: 'a', line: null } }] },
      [[{ keys: ['site'], values: ['north'] }], [{ keys: ['zone'], values: ['a'] }]],
    ],
    [
      'one of alternatives',
      { $or: [north, { name: 'x', tags: { $tagKey: 'zone' } }] },
      [[{ keys: ['site'], values: ['north'] }, { keys: ['zone'] }]],
    ],
  ])('are %s', (_, query, groups) => {
    expect(tagsNeededBy(query)).toEqual(groups);
  });

  it.each<[string, unknown]>([
    ['nothing is asked', {}],
    ['others than tags are', { name: 'north' }],
    ['a tag must not be there', { tags: { $ne: { site: 'north' } } }],
    ['there must be no tag', { tags: null }],
    ['an alternative asks for none', { $or: [north, {}] }],
    ['there is no alternative', { $or: [] }],
    ['none of them may be so', { $nor: [north] }],
    ['it is no query', [north]],
  ])('are empty if %s', (_, query) => {
    expect(tagsNeededBy(query)).toEqual([]);
  });

  it('are limited to four groups', () => {
    expect(tagsNeededBy({ $and: Array.from({ length: 9 }, () => north) })).toHaveLength(4);
  });
});
