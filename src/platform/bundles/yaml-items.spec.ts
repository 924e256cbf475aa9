import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { stringify } from 'yaml';
import { BUNDLE_TASKS } from './bundle-tasks.js';
import { readItems, type YamlItem, type YamlParser } from './yaml-items.js';

/** As in the processes of `BundleWork`. */
const parse: YamlParser = async (texts) =>
  BUNDLE_TASKS.readYaml(texts).map((json) => JSON.parse(json) as unknown);

async function* chunksOf(text: string | Buffer, size = 65_536): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function read(
  text: string | Buffer,
): Promise<{ items: YamlItem[]; types: Set<string>; isKnown: boolean }> {
  const items: YamlItem[] = [];
  const types = new Set<string>();
  const isKnown = await readItems({ content: chunksOf(text), at: 'a.yaml', parse }, (item, type) => {
    items.push(item);
    types.add(type);
  });
  return { items, types, isKnown };
}
const file = (resources: object[], more = '') =>
  `resourceType: Device\n${stringify({ resources }, { lineWidth: 0 })}version: 1\n${more}`;
/** Exceeds the size up to which a file is read as a whole. */
const padding = { padding: 'x'.repeat(300_000) };

describe('A resource file', () => {
  it.each<[string, object]>([
    ['small', {}],
    ['large', padding],
  ])('that is %s yields each resource under its own ID', async (_, more) => {
    const resources = [
      {
        id: 'a',
        text: 'several\nlines\n- of a list\nchildren:\n',
        list: [1, { b: true }],
        none: null,
        ...more,
      },
      { id: 'b', date: '2026-01-01T00:00:00.000Z', version: '0123', yes: 'yes', number: 1.5 },
    ];
    const { items, types } = await read(file(resources));
    expect(items.map(({ resource }) => resource)).toEqual(resources);
    expect(new Set(items.map(({ id }) => id)).size).toBe(2);
    expect([...types]).toEqual(['Device']);
  });

  it.each<[string, object]>([
    ['small', {}],
    ['large', padding],
  ])('that is %s yields trees, whose resources refer to their parents', async (_, more) => {
    const leaf = { name: 'leaf', text: 'a\nb' };
    const tree = [
      {
        attributes: [{ name: 'x' }],
        children: [{ children: [leaf], name: 'inner' }, { name: 'other' }],
        name: 'root',
        ...more,
      },
      { name: 'second', children: [] },
    ];
    const { items } = await read(file(tree));
    const byName = new Map(items.map((item) => [item.resource.name, item]));
    const below = (name: string) => items.find(({ id }) => id === byName.get(name)!.parentId)?.resource.name;
    expect([...byName.keys()].sort()).toEqual(['inner', 'leaf', 'other', 'root', 'second']);
    expect(['root', 'inner', 'leaf', 'other', 'second'].map(below)).toEqual([
      undefined,
      'root',
      'inner',
      'root',
      undefined,
    ]);
    expect(byName.get('leaf')!.resource).toEqual(leaf);
    expect(byName.get('root')!.resource.attributes).toEqual([{ name: 'x' }]);
  });

  it('may have unindented lists, comments, blank lines and Windows line endings', async () => {
    const text = `---\r\n# a comment\r\nresourceType: Device\r\nresources:\r\n- name: a # said\r\n\r\n  padding: ${padding.padding}\r\n# between\r\n-\r\n  name: b\r\nversion: 1\r\n`;
    const { items } = await read(text);
    expect(items.map(({ resource }) => resource.name)).toEqual(['a', 'b']);
  });

  it('may be large and in JSON style, or have quoted keys', async () => {
    const tree = { children: [{ name: 'leaf', children: [{ name: 'low' }] }], name: 'root', ...padding };
    const block = `"resourceType": Device\nresources:\n  - "name": root\n    "children": [{name: leaf, children: [{name: low}]}]\n    padding: ${padding.padding}\nversion: "1"\n`;
    const json = JSON.stringify({ version: 1, resources: [tree], resourceType: 'Device' });
    for (const text of [block, json, JSON.stringify(JSON.parse(json), null, 2)]) {
      const { items, isKnown } = await read(text);
      expect([isKnown, items.map(({ resource }) => resource.name)]).toEqual([true, ['root', 'leaf', 'low']]);
      const [root, leaf, low] = items;
      expect([leaf!.parentId, low!.parentId]).toEqual([root!.id, leaf!.id]);
    }
  });

  it('may have a resource as large as a workflow', async () => {
    const text = 'a line of text\n'.repeat(650_000);
    const { items } = await read(file([{ text }]));
    expect(items.map(({ resource }) => resource.text === text)).toEqual([true]);
  });

  it('may have a limited number of aliases', async () => {
    const { items } = await read(
      'resourceType: A\nresources:\n- a: &x [1, 2]\n  b: *x\n- c: *x\nversion: 1\n',
    );
    expect(items.map(({ resource }) => resource)).toEqual([{ a: [1, 2], b: [1, 2] }, { c: [1, 2] }]);
  });

  it.each<[string, object]>([
    ['small', {}],
    ['large', padding],
  ])('that is %s may be a tree with as many levels as groups can have', async (_, more) => {
    let tree: object = { name: 'leaf', deep: { as: [{ it: ['was'] }] }, ...more };
    for (let level = 1; level < 100; level++) tree = { name: `${level}`, children: [tree] };
    const { items } = await read(file([tree]));
    const parents = items.filter(({ resource }) => resource.name !== 'leaf').map(({ id }) => id);
    expect(new Set(items.map(({ parentId }) => parentId))).toEqual(new Set([undefined, ...parents]));
    expect(items).toHaveLength(100);
  });

  it('is not recognized if it is unrelated YAML', async () => {
    expect((await read('name: Templates\nresourceTypes:\n')).isKnown).toBe(false);
    expect((await read('- a\n- b\n')).isKnown).toBe(false);
    expect((await read('a: !Ref x\n---\n<<: [\n')).isKnown).toBe(false);
    expect((await read(stringify({ openapi: '3.1.0', ...padding }))).isKnown).toBe(false);
  });

  const laughs = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 9; i++) {
    const [name, before] = [String.fromCharCode(97 + i), String.fromCharCode(96 + i)];
    laughs.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`);
  }
  const nested = (n: number) => `resourceType: A\nresources:\n- a: ${'['.repeat(n)}${']'.repeat(n)}\n`;
  it.each<[string, string | Buffer, string]>([
    ['is not valid', 'resourceType: A\nresources: [\n', 'a.yaml is not valid YAML at line'],
    ['expands without end', `resourceType: A\nresources:\n- ${laughs.join('\n  ')}\n`, 'a.yaml has too many'],
    [
      'is in itself',
      'resourceType: A\nresources:\n- a: &a [*a]\n',
      'a.yaml is nested more than 64 levels deep',
    ],
    ['is nested deep', nested(100), 'a.yaml is nested more than 64 levels deep'],
    ['is nested very deep', nested(50_000), 'a.yaml'],
    ['has tags', 'resourceType: A\nresources:\n- a: !!js/function x\n', 'function at line 3'],
    [
      'merges',
      'resourceType: A\nresources:\n- &a { b: 1 }\n- <<: *a\n',
      'merges a map into another at line 4',
    ],
    [
      'names nothing',
      file([padding]).replace('version', '  - a: *x\nversion'),
      'refers to x, which is not defined before it',
    ],
    ['has a binary value', 'resourceType: A\nresources:\n- a: !!binary aGk=\n', 'a.yaml'],
    [
      'has a key twice',
      'resourceType: A\nresources:\n- a: 1\n  a: 2\n',
      'a.yaml has a key twice: a at line 4',
    ],
    ['reaches prototypes', 'resourceType: A\nresources:\n- __proto__: 1\n', 'a.yaml has the key __proto__'],
    [
      'has keys that are lists',
      'resourceType: A\nresources:\n- ? [a]\n  : 1\n',
      'a.yaml has a key that is not text',
    ],
    ['has several documents', 'resourceType: A\nresources: []\n---\na: 1\n', 'a.yaml is not valid YAML'],
    [
      'is of another version of YAML',
      '%YAML 1.1\n---\nresourceType: A\nresources: []\n',
      'a.yaml must be YAML 1.2',
    ],
    [
      'is of another version',
      'resourceType: A\nresources: []\nversion: 2\n',
      'a.yaml has an unsupported version',
    ],
    ['has no list', 'resourceType: A\nresources: 1\n', 'a.yaml has no list of resources'],
    [
      'has no resource',
      'resourceType: A\nresources: [1]\n',
      'a.yaml contains something that is not a resource',
    ],
    ['has a NUL character', 'resourceType: A\nresources: [{a: "\\0"}]\n', 'a.yaml contains a NUL character'],
    ['has half a character', 'resourceType: A\nresources: [{a: "\\ud800"}]\n', 'a.yaml'],
    ['is not in UTF-8', Buffer.from([0x61, 0xff, 0x0a]), 'a.yaml is not in UTF-8'],
    [
      'has a number that is none',
      'resourceType: A\nresources: [{a: .inf}]\n',
      'a.yaml contains a number that is not finite',
    ],
    [
      'is large in another shape',
      `resourceType: A\nresources: [{a: "${'x'.repeat(17_000_000)}"}]\n`,
      'a.yaml',
    ],
    ['is large, of several documents', file([padding]) + '---\na: 1\n', 'a.yaml'],
    ['is large, and not valid in the end', file([padding], 'resources:\n- a: 1\n'), 'a.yaml has a key twice'],
  ])('is rejected if it %s', async (_, text, message) => {
    await expect(read(text)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
  });

  it.each<[string, string]>([
    ['keys', Array.from({ length: 20_000 }, (_, i) => `  k${i}: 1`).join('\n')],
    ['anchors', Array.from({ length: 20_000 }, (_, i) => `  k${i}: &a${i} 1`).join('\n')],
    ['opened lists', `  a: ${'[a, '.repeat(30)}${']'.repeat(30)}\n`.repeat(1) + '  b: 1'],
    ['quotes', `  a: "${'\\"'.repeat(100_000)}"`],
    ['lines', `  a: |\n${'    x\n'.repeat(40_000)}`],
    ['spaces', `  a: ${' '.repeat(250_000)}b`],
    ['colons', `  a: ${'b:c'.repeat(60_000)}`],
  ])('is read quickly even if it has many %s', async (_, text) => {
    const { items } = await read(`resourceType: A\nresources:\n-\n${text}\n`);
    expect(items).toHaveLength(1);
  });

  it('is not retained in memory by values taken from it', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const text = file([{ id: 'of-more-letters-than-v8-copies', text: 'x'.repeat(2_000_000) }]);
    const kept: unknown[] = [];
    const before = used();
    for (let i = 0; i < 8; i++) kept.push((await read(text)).items[0]!.resource.id);
    expect(used() - before).toBeLessThan(8_000_000);
    expect(kept).toHaveLength(8);
  });
});
