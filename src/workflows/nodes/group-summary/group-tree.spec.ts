import { GroupTrees, type ListedGroup } from './group-tree.js';

const group = (id: string, parentId?: string, ...ancestorIds: string[]): ListedGroup => ({
  id,
  name: id.toUpperCase(),
  ...(parentId !== undefined && { parentId }),
  ancestorIds: parentId === undefined ? [] : [parentId, ...ancestorIds],
  groupTags: {},
});
const shape = (node: any): unknown => [node.id, ...node.children.map(shape)];

describe('GroupTrees', () => {
  const trees = new GroupTrees([
    group('c', 'b', 'a'),
    group('a'),
    group('b', 'a'),
    group('d'),
    group('e', 'a'),
  ]);

  it('nests groups in the order of the list', () => {
    expect(shape(trees.all())).toEqual(['(root)', ['a', ['b', ['c']], ['e']], ['d']]);
    expect(trees.from('c')).toEqual({
      id: 'c',
      name: 'C',
      parentId: 'b',
      ancestorIds: ['b', 'a'],
      groupTags: {},
      children: [],
    });
  });

  it('begins at a group, or at the topmost of several', () => {
    expect(shape(trees.from('a'))).toEqual(['a', ['b', ['c']], ['e']]);
    expect(trees.from('x')).toBeUndefined();
    expect(shape(trees.below(['c', 'b', 'd', 'x']))).toEqual(['(root)', ['b', ['c']], ['d']]);
    expect(shape(trees.below([]))).toEqual(['(root)']);
  });

  it('keeps groups whose parent is missing', () => {
    expect(shape(new GroupTrees([group('b', 'a')]).all())).toEqual(['(root)', ['b']]);
  });
});
