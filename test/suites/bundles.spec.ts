import { DECORATORS } from '@nestjs/swagger';
import { bundles, holdings, versionBundles, UNBUNDLED_HOLDINGS } from '../../src/families.js';
import { BUNDLED_APPLICATION } from '../../src/modules/applications/applications/application.bundle.js';
import type { Bundled } from '../../src/platform/bundles/bundled.js';
import { fieldsOf } from '../../src/platform/fields/fields.js';

const made: readonly Bundled[] = [BUNDLED_APPLICATION, ...bundles];
const all: readonly Bundled[] = [...made, ...versionBundles];
const tables = (of: readonly { holding: { table: string } }[]) => of.map(({ holding }) => holding.table);

describe('Bundles', () => {
  it('include everything an application holds, or declare why not', () => {
    const known = new Set([...tables(all.slice(1)), ...Object.keys(UNBUNDLED_HOLDINGS)]);
    expect([...known].sort()).toEqual(holdings.map(({ table }) => table).sort());
  });

  it('name each kind of resource and each placeholder uniquely', () => {
    const own = new Map(
      made.map(({ holding, placeholderWord }) => [`${holding.table} ${placeholderWord}`, placeholderWord]),
    );
    const texts = made.flatMap(({ generated = {} }) =>
      Object.values(generated).map((text) => text!.placeholderWord),
    );
    const words = [...own.values(), ...texts];
    expect(new Set(words).size).toBe(words.length);
    expect(new Set(made.map(({ resourceType }) => resourceType)).size).toBe(made.length);
    for (const word of words) expect(word).toMatch(/^[a-z][a-zA-Z]+$/);
  });

  it('contain no secrets', () => {
    const secrets = all.flatMap(({ holding, fields }) => {
      const { prototype } = holding.type as { prototype: object };
      const factsOf = (field: string) =>
        (Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, prototype, field) ?? {}) as Record<
          string,
          unknown
        >;
      return fields.filter(
        (field) => factsOf(field).format === 'password' || factsOf(field).writeOnly === true,
      );
    });
    expect(secrets).toEqual([]);
  });

  it.each(all.map((bundled) => [bundled.resourceType, bundled] as const))(
    'contain only properties of %s that its body accepts and its rows show',
    (_, { fields, holding, nameProperty, linked = {}, links = [], generated = {} }) => {
      expect(fields.length).toBeGreaterThan(1);
      expect(fields).toEqual(expect.arrayContaining([nameProperty, ...links, ...Object.keys(generated)]));
      const never = ['id', 'applicationId', 'creationDate', 'lastUpdated', 'createdById', 'lastUpdatedById'];
      expect(fields.filter((field) => never.includes(field))).toEqual([]);
      const known = new Set([
        'version',
        ...Object.keys(linked),
        ...fieldsOf(holding.type).map(({ property }) => property),
      ]);
      expect(fields.filter((field) => !known.has(field))).toEqual([]);
    },
  );
});
