import fc from 'fast-check';
import { FilterTree } from './filter-tree.js';
import { matchesTopic } from './topic-filter.js';

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
