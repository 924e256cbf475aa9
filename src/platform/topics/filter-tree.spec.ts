import fc from 'fast-check';
import { FilterTree } from './filter-tree.js';
import { matchesTopic } from '../../lib/mqtt/topic-filter.js';

const level = fc.constantFrom('a', 'b', '', '$s');
const topic = fc.array(level, { minLength: 1, maxLength: 4 }).map((levels) => levels.join('/'));
const filter = fc
  .tuple(fc.array(fc.oneof(level, fc.constant('+')), { maxLength: 3 }), fc.constantFrom('a', '', '+', '#'))
  .map(([levels, last]) => [...levels, last].join('/'));

/** Returns the values that are found, each as often as it is found. */
function found<T>(tree: FilterTree<T>, given: string): T[] {
  const values: T[] = [];
  tree.match(given, (value) => values.push(value));
  return values;
}

it('Finds the values of the filters that match, also after others were removed', () => {
  fc.assert(
    fc.property(fc.array(filter), fc.array(filter), fc.array(topic), (kept, removed, topics) => {
      const tree = new FilterTree<string>();
      for (const one of [...kept, ...removed]) tree.add(one, one);
      for (const one of removed) tree.delete(one, one);
      const left = [...new Set(kept)].filter((one) => !removed.includes(one));
      expect(tree.size).toBe(left.length);
      for (const given of topics)
        expect(found(tree, given).sort()).toEqual(left.filter((one) => matchesTopic(one, given)).sort());
    }),
  );
});

it('Keeps the values of a filter apart', () => {
  const tree = new FilterTree<number>();
  for (const value of [1, 2, 2]) tree.add('a/+', value);
  tree.delete('a/b', 1);
  tree.delete('a/+', 3);
  expect(found(tree, 'a/b')).toEqual([1, 2]);
  tree.delete('a/+', 1);
  expect([found(tree, 'a/b'), tree.size]).toEqual([[2], 1]);
});

describe('A tree', () => {
  const treeOf = (...filters: string[]) => {
    const tree = new FilterTree<string>();
    for (const one of filters) tree.add(one, one);
    return tree;
  };
  const FIRST = ['a', 'b', '$s'];
  const NEXT = ['a', 'b', '', '$s', 'z'];
  const topics = FIRST.flatMap((x) =>
    NEXT.flatMap((y) => [x, `${x}/${y}`, ...NEXT.map((z) => `${x}/${y}/${z}`)]),
  );
  const short = filter.filter((one) => one.split('/').length <= 3);

  it('covers a filter if its own filters match all topics of it, as far as topics show', () => {
    fc.assert(
      fc.property(fc.array(short), short, (filters, inner) => {
        if (!treeOf(...filters).covers(inner)) return;
        const matched = topics.filter((one) => matchesTopic(inner, one));
        expect(matched.filter((one) => !filters.some((outer) => matchesTopic(outer, one)))).toEqual([]);
      }),
    );
  });

  it('overlaps a filter if a topic matches both', () => {
    fc.assert(
      fc.property(fc.array(short), short, (filters, other) => {
        const both = topics.some(
          (one) => matchesTopic(other, one) && filters.some((each) => matchesTopic(each, one)),
        );
        if (both) expect(treeOf(...filters).overlaps(other)).toBe(true);
      }),
    );
  });

  it.each([
    ['#', 'a/b', true],
    ['#', '#', true],
    ['a/#', 'a', true],
    ['a/#', 'a/+/b', true],
    ['a/#', 'a/#', true],
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
  ])('of %j covers %j: %s', (outer, inner, covers) => {
    expect(treeOf('x/y', outer).covers(inner)).toBe(covers);
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
  ])('of %j overlaps %j, and the reverse: %s', (one, other, overlap) => {
    expect([treeOf(one).overlaps(other), treeOf(other).overlaps(one)]).toEqual([overlap, overlap]);
  });

  it('of nothing covers and overlaps nothing', () => {
    const tree = treeOf();
    expect([tree.covers('a'), tree.overlaps('#'), tree.covers('#')]).toEqual([false, false, false]);
  });
});
