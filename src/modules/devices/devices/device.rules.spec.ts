import { checkAttributes, intervalOf, numbered, withPosition, lowerCaseIds } from './device.rules.js';
import type { StoredAttribute } from './device.schemas.js';

const ID = '575ec8687ae143cd83dc4a97';
const number = (name: string): StoredAttribute => ({ name, dataType: 'number' });
const standalone = {
  deviceClass: 'standalone',
  gatewayId: null,
  parentId: null,
  systemInterval: null,
} as const;
const peripheral = { ...standalone, deviceClass: 'peripheral', gatewayId: ID } as const;

describe('Class of a device', () => {
  it.each([
    [{}, undefined, { deviceClass: 'standalone', gatewayId: null }],
    [{ deviceClass: 'peripheral' }, undefined, { deviceClass: 'floating', gatewayId: null }],
    [{ deviceClass: 'peripheral', gatewayId: ID.toUpperCase() }, undefined, peripheral],
    [{ gatewayId: ID }, { ...standalone, deviceClass: 'floating' }, peripheral],
    [{ deviceClass: 'floating' }, peripheral, { deviceClass: 'floating', gatewayId: null }],
    [{ deviceClass: 'gateway' }, peripheral, { deviceClass: 'gateway', gatewayId: null }],
    [{ parentId: ID }, peripheral, { ...peripheral, parentId: ID }],
    [{ parentId: null }, { ...standalone, parentId: ID }, standalone],
    [{ deviceClass: 'system', systemInterval: 30 }, undefined, { systemInterval: 30 }],
  ] as const)('after applying %j to %j is %j', (change, stored, expected) => {
    expect(withPosition(change, stored)).toMatchObject(expected);
  });

  it.each([
    [{ deviceClass: 'system' }, standalone, 'device.deviceClass cannot change to or from system'],
    [
      { deviceClass: 'gateway' },
      { ...standalone, deviceClass: 'system' },
      'device.deviceClass cannot change',
    ],
    [{ gatewayId: ID }, undefined, 'device.gatewayId is supported only for peripherals'],
    [
      { deviceClass: 'floating', gatewayId: ID },
      undefined,
      'device.gatewayId is not supported for floating devices',
    ],
    [{ systemInterval: 60 }, undefined, 'device.systemInterval is supported only for systems'],
  ] as const)('rejects applying %j to %j', (change, stored, message) => {
    expect(() => withPosition(change, stored)).toThrow(message);
  });

  it('has an interval that the owner allows', () => {
    expect([intervalOf(null, 0), intervalOf(null, 300), intervalOf(5, 5)]).toEqual([60, 300, 5]);
    expect(() => intervalOf(5, 6)).toThrow('device.systemInterval must be at least 6');
  });
});

describe('Attribute rules', () => {
  it.each([
    [[number('a'), number('a')], 'device.attributes.1.name is a duplicate'],
    [
      [{ ...number('a'), contentType: 'image/png' }],
      'device.attributes.0.contentType is supported only for blobs',
    ],
    [
      [number('b'), { ...number('a'), system: {} }],
      'device.attributes.1.system is supported only for attributes of systems',
    ],
    [
      [{ ...number('a'), attributeTags: { 'a b': 'c' } }],
      'device.attributes.0.attributeTags has an invalid key: only letters, digits, _ and - are allowed',
    ],
  ])('reject %j', (attributes, message) => {
    expect(() => checkAttributes(attributes, 'standalone')).toThrow(message);
  });

  it('accept additional properties of systems and blobs', () => {
    const attributes = [
      { ...number('a'), system: { aggregation: 'MEAN' } },
      { name: 'b', dataType: 'blob', contentType: 'image/png', attributeTags: { unit_1: 'x' } },
    ] as const;
    expect(() => checkAttributes(attributes, 'system')).not.toThrow();
  });

  it('keep the number while name and data type do not change, and never reuse a number', () => {
    const first = numbered([number('a'), number('b'), number('c')]);
    expect(first).toMatchObject({ attributeNumbers: { a: 1, b: 2, c: 3 }, nextAttributeNumber: 4 });
    const second = numbered([number('c'), { name: 'a', dataType: 'string' }, number('d')], first);
    expect(second).toMatchObject({ attributeNumbers: { c: 3, a: 4, d: 5 }, nextAttributeNumber: 6 });
    expect(numbered([number('b')], second)).toMatchObject({ attributeNumbers: { b: 6 } });
  });

  it('convert device IDs to lower case', () => {
    const child = { name: 'flow', mode: 'whitelist', deviceIds: [ID.toUpperCase()] } as const;
    const attribute = {
      ...number('a'),
      system: { childAttributes: [child, { name: 'b', mode: 'all' }] },
    } as const;
    expect(lowerCaseIds(attribute).system.childAttributes).toEqual([
      { ...child, deviceIds: [ID] },
      { name: 'b', mode: 'all' },
    ]);
    expect(lowerCaseIds(number('a'))).toEqual(number('a'));
  });
});
