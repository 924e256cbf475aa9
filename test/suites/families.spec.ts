import { readdirSync } from 'node:fs';
import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { bundles, families, holdings, versionBundles, tags } from '../../src/families.js';
import { FLOWS } from '../../src/modules/flows/flows/flow.resource.js';
import { columnName } from '../../src/platform/database/naming.js';
import { inDocumentOrder, type Tag } from '../../src/platform/families.js';
import { creationOrder, inCreationOrder, parentsOf } from '../../src/platform/holdings/creation-order.js';
import { holding } from '../../src/platform/holdings/holding.js';
import { referencesOf } from '../../src/workflows/graph/references.js';

const tablesOf = (rows: readonly { table: string }[]): string[] => rows.map(({ table }) => table);

describe('Families', () => {
  it('are all listed, one for each folder, and that of the platform', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
    expect(new Set(families).size).toBe(families.length);
    expect(families.length).toBe(files.filter((file) => file.endsWith('.family.ts')).length);
    const folders = new Set(files.map((file) => /^(modules\/[^/]+\/[^/]+)\//.exec(file)?.[1]));
    folders.delete(undefined);
    const missing = [...folders].filter(
      (path) => !files.includes(`${path}/${path!.split('/')[2]}.family.ts`),
    );
    expect(missing).toEqual([]);
  });

  it('have tags that are named after them, once, and no resource has two', () => {
    const names = families.flatMap(({ tag }) => tag?.name ?? []);
    const resources = tags.flatMap((tag) => tag.resources);
    expect(tags.map(({ name }) => name).sort()).toEqual(names.sort());
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(resources).size).toBe(resources.length);
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
    const folders = files.map((file) => /([^/]+)\.family\.ts$/.exec(file)?.[1] ?? '');
    const known = folders.map((folder) =>
      folder.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    );
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('The order of holdings', () => {
  const removed = tablesOf(holdings);

  it('removes rows before those that they refer to', () => {
    const referring = holdings.filter((one) => parentsOf(one, holdings).length > 0);
    expect(tablesOf(referring)).toEqual(expect.arrayContaining(['experience_domains', 'device_points']));
    for (const one of referring)
      for (const { table } of parentsOf(one, holdings))
        expect([one.table, table, removed.indexOf(one.table) < removed.indexOf(table)]).toEqual([
          one.table,
          table,
          true,
        ]);
  });

  it('removes jobs first', () => {
    expect(removed[0]).toBe('jobs');
  });

  it('creates resources that workflows refer to before workflows', () => {
    const { customNodes: _, flows: __, ...referred } = referencesOf({});
    const tables = Object.keys(referred).flatMap((name) => [
      columnName(name),
      columnName(`experience_${name}`),
    ]);
    const created = removed.toReversed();
    expect(created.filter((table) => tables.includes(table))).toContain('integrations');
    expect(created.slice(created.indexOf('flows')).filter((table) => tables.includes(table))).toEqual([]);
  });

  it('keeps the order of files in bundles; other families may stand between them', () => {
    const typesOf = (table: string) =>
      bundles.flatMap(({ holding, resourceType }) => (holding.table === table ? [resourceType] : []));
    const order = [
      ...FLOWS.after!.flatMap(typesOf),
      'Flow',
      'ExperienceFlowVersion',
      'FlowVersion',
      'File',
      'PrivateFile',
    ];
    const types = bundles.map(({ resourceType }) => resourceType);
    expect(types.filter((type) => order.includes(type))).toEqual(order);
    expect(versionBundles.map(({ resourceType }) => resourceType)).toEqual([
      'ExperienceVersion',
      'ExperienceEndpoint',
      'ExperienceView',
      'ExperienceFlowVersion',
    ]);
  });
});

describe('creationOrder', () => {
  @Entity('order_parents')
  class Parent {
    @PrimaryColumn()
    id: string;
  }
  @Entity('order_children')
  class Child {
    @ForeignKey(() => Parent)
    @PrimaryColumn()
    parentId: string;
  }
  class Other {}
  class Grandchild extends Child {}
  const of = (type: new () => object, table: string, after?: string[]) =>
    holding(type, { table, title: table, after });
  const parent = of(Parent, 'parents');

  it('follows foreign keys, also inherited ones, and `after`', () => {
    const others = of(Other, 'others', ['children']);
    const given = [of(Grandchild, 'grandchildren'), others, of(Child, 'children'), parent];
    const created = creationOrder(given);
    expect(tablesOf(created)).toEqual(['parents', 'grandchildren', 'children', 'others']);
    expect(inCreationOrder(created, ['others', 'parents'], (table) => table)).toEqual(['parents', 'others']);
  });

  it('otherwise keeps the given order', () => {
    expect(tablesOf(creationOrder([of(Other, 'b'), parent, of(Other, 'a')]))).toEqual(['b', 'parents', 'a']);
  });

  it.each([
    [[of(Other, 'a', ['b'])], 'a: no holding has the table b'],
    [[of(Other, 'a', ['b']), of(Child, 'b', ['a'])], 'Cycle: a > b > a'],
  ])('throws for an unknown table and for a cycle', (given, message) => {
    expect(() => creationOrder(given)).toThrow(message);
  });
});

it('inDocumentOrder sorts by group, and puts a tag after the one that it names', () => {
  const tag = (name: string, after?: string, group: Tag['group'] = 'Devices'): Tag => ({
    name,
    title: name,
    group,
    resources: [name],
    description: name,
    after,
  });
  const given = [tag('b'), tag('e', 'd'), tag('d', 'c'), tag('c'), tag('f', undefined, 'Data')];
  const ordered = inDocumentOrder([...given, tag('a', undefined, 'Account')]);
  expect(ordered.map(({ name }) => name).join('')).toBe('abcdef');
});
