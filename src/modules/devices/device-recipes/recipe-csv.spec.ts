import type { DeviceRecipe } from './device-recipe.resource.js';
import { resultOf, templateOf } from './recipe-bulk.rules.js';
import { readCsv } from './recipe-csv.js';
import { deviceOf } from './recipe-devices.rules.js';
import { RecipeSeed } from './recipe-seed.js';

const ID = '575ec8687ae143cd83dc4a97';
const OTHER = '575ec8687ae143cd83dc4a98';
const recipe = {
  id: ID,
  name: 'Pump',
  tags: [{ key: 'site', value: 'everywhere' }],
  attributes: [],
  deviceClass: 'standalone',
  keepDuplicates: false,
} as unknown as DeviceRecipe;
const devicesOf = (csv: string, more: object = {}, of: Partial<DeviceRecipe> = {}) => {
  const { csv: table, template } = templateOf({ recipe: { ...recipe, ...of }, post: { csv, ...more } });
  return table.rows.map((cells) => deviceOf(template, cells));
};
const OWN = { key: 'DeviceRecipe', value: ID };

describe('readCsv', () => {
  it('reads CSV written by spreadsheets', () => {
    const table = { header: ['name', 'note'], rows: [['a', 'b, "c"\nd']] };
    expect(readCsv('\ufeffname,note\r\na,"b, ""c""\nd"\r\n\r\n', 10)).toEqual(table);
  });

  it('reads one row more than requested, and nothing beyond', () => {
    expect(readCsv('a\n1\n2\n3\n"broken', 2).rows).toEqual([['1'], ['2'], ['3']]);
  });

  it.each([
    ['', 'deviceRecipeBulkCreate.csv has no rows'],
    ['a\n"b', 'deviceRecipeBulkCreate.csv is not valid CSV at line 2'],
    [`a\n${'b'.repeat(200_000)}`, 'deviceRecipeBulkCreate.csv is not valid CSV at line 2'],
    [',a,', 'deviceRecipeBulkCreate.csv has two columns ""'],
    [','.repeat(200), 'deviceRecipeBulkCreate.csv must have at most 104 columns'],
  ])('rejects invalid CSV (%#)', (text, message) => {
    expect(() => readCsv(text, 10)).toThrow(message);
  });
});

describe('Devices created from rows', () => {
  it('use the columns, with unnamed columns as tags, then the body, then the recipe', () => {
    const columns = {
      nameColumn: 'name',
      descriptionColumn: 'note',
      gatewayIdColumn: 'gateway',
      parentIdColumn: 'system',
      gatewayId: OTHER,
    };
    const csv = `name,note,gateway,system,site\nA,first,${ID.toUpperCase()},${OTHER},north\n,,,,\n`;
    expect(devicesOf(csv, columns, { parentId: ID, deviceDescription: 'one of many' })).toEqual([
      {
        name: 'A',
        description: 'first',
        gatewayId: ID,
        parentId: OTHER,
        deviceClass: 'standalone',
        tags: [{ key: 'site', value: 'north' }, OWN],
      },
      {
        name: 'Pump',
        description: 'one of many',
        gatewayId: OTHER,
        parentId: ID,
        deviceClass: 'standalone',
        tags: [{ key: 'site', value: 'everywhere' }, OWN],
      },
    ]);
  });

  it('are identical if only a count is given', () => {
    const { csv, template } = templateOf({ recipe: { ...recipe, deviceName: 'P' }, post: { count: 3 } });
    expect(csv.rows.map((cells) => deviceOf(template, cells).name)).toEqual(['P', 'P', 'P']);
  });

  it('have the recipe tag once, even if the row or the recipe contains it', () => {
    const [device] = devicesOf('DeviceRecipe\nother\n', {}, { tags: [{ key: 'DeviceRecipe', value: 'x' }] });
    expect(device!.tags).toEqual([OWN]);
  });

  it.each([
    ['name\n' + 'a'.repeat(256), 'The name has more than 255 characters'],
    ['name,t\na,' + 'b'.repeat(256), 'The tag t has more than 255 characters'],
    ['name,t\na', 'The row has 1 cells, but the first row has 2'],
  ])('are not created from invalid rows (%#)', (csv, message) => {
    expect(() => devicesOf(csv, { nameColumn: 'name' })).toThrow(message);
  });

  it('have at most 100 tags', () => {
    const tags = Array.from({ length: 100 }, (_, n) => ({ key: `k${n}`, value: 'v' }));
    expect(() => devicesOf('a\n1\n', {}, { tags })).toThrow('more than 100 tags');
    expect(devicesOf('k1\n1\n', {}, { tags: tags.slice(1) })[0]!.tags).toHaveLength(100);
  });

  it.each([
    [{ csv: 'a b\n1' }, 'has a column "a b"'],
    [{ csv: 'a\n1', nameColumn: 'b' }, 'deviceRecipeBulkCreate.nameColumn is not a column of the CSV'],
    [{ csv: 'a\n1', count: 1 }, 'is required, but not both'],
    [{}, 'is required, but not both'],
  ])('are rejected for %j', (post, message) => {
    expect(() => templateOf({ recipe, post })).toThrow(message);
  });

  it('are limited in number for a large recipe, to protect the disk', () => {
    const large = { ...recipe, description: 'a'.repeat(20_000) };
    expect(() => templateOf({ recipe: large, post: { count: 10_000 } })).toThrow('too large');
  });
});

describe('Result of a bulk creation', () => {
  it('contains each row with its device, key or error, also in the published columns, and escapes formulas', () => {
    const { csv, template } = templateOf({
      recipe,
      post: { csv: 'name\n=1\nb\n', nameColumn: 'name', makeUniqueKeySecret: true },
    });
    const access = { id: OTHER, key: 'k', secret: 's' };
    expect(resultOf(csv, template, [{ deviceId: ID, access }, { error: 'Wrong' }])).toEqual({
      created: 1,
      failed: 1,
      csvResult: [
        'name,deviceId,accessKey,accessSecret,error,losantDeviceId,losantDeviceKey,losantDeviceSecret',
        `'=1,${ID},k,s,,${ID},k,s`,
        'b,,,,Wrong,,,',
        '',
      ].join('\r\n'),
    });
  });
});

describe('Seed of a bulk creation', () => {
  it('produces the same IDs, keys and secrets again, and different ones from another seed', () => {
    const text = RecipeSeed.create();
    const [one, same, other] = [text, text, RecipeSeed.create()].map((seed) => new RecipeSeed(seed));
    expect(one!.deviceId(7)).toMatch(/^[0-9a-f]{24}$/);
    expect([same!.deviceId(7), same!.access(7)]).toEqual([one!.deviceId(7), one!.access(7)]);
    expect(one!.access(7).key).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    const of = (seed: RecipeSeed, row: number) =>
      Object.values({ d: seed.deviceId(row), ...seed.access(row) });
    const all = [...of(one!, 7), ...of(one!, 8), ...of(other!, 7)];
    expect(new Set(all).size).toBe(all.length);
  });
});
