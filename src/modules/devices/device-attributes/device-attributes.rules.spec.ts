import fc from 'fast-check';
import { MAX_ATTRIBUTES } from '../devices/device.schemas.js';
import {
  attributeNamed,
  withAttribute,
  withAttributeChanged,
  withoutAttribute,
  type NumberedAttributes,
} from './device-attributes.rules.js';

const NONE: NumberedAttributes = { attributes: [], attributeNumbers: {}, nextAttributeNumber: 1 };
const number = (name: string) => ({ name, dataType: 'number' as const });
const withAll = (...names: string[]) =>
  names.reduce((device, name) => withAttribute(device, number(name)), NONE);

describe('Rules for the attributes of a device', () => {
  it('assign consecutive numbers', () => {
    expect(withAll('a', 'b')).toEqual({
      attributes: [number('a'), number('b')],
      attributeNumbers: { a: 1, b: 2 },
      nextAttributeNumber: 3,
    });
  });

  it('keep the number and position of a renamed attribute', () => {
    const device = withAttributeChanged(withAll('a', 'b'), 'a', { name: 'c', description: 'new' });
    expect(device).toEqual({
      attributes: [{ ...number('c'), description: 'new' }, number('b')],
      attributeNumbers: { c: 1, b: 2 },
      nextAttributeNumber: 3,
    });
  });

  it('do not reuse the number of a deleted attribute', () => {
    const device = withAttribute(withoutAttribute(withAll('a', 'b'), 'b'), number('b'));
    expect(device.attributeNumbers).toEqual({ a: 1, b: 3 });
  });

  it('allow names of properties that every object has', () => {
    const device = withAll('__proto__', 'constructor', 'toString');
    expect(Object.entries(device.attributeNumbers)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
      ['toString', 3],
    ]);
    const renamed = withAttributeChanged(device, '__proto__', { name: 'valueOf' });
    expect(Object.entries(renamed.attributeNumbers)[0]).toEqual(['valueOf', 1]);
    expect(Object.entries(withoutAttribute(device, '__proto__').attributeNumbers)).toHaveLength(2);
  });

  it('refuse a name that is taken, but let an attribute keep its own', () => {
    const taken = 'deviceAttribute.name is not available';
    expect(() => withAttribute(withAll('a'), number('a'))).toThrow(taken);
    expect(() => withAttributeChanged(withAll('a', 'b'), 'a', { name: 'b' })).toThrow(taken);
    expect(withAttributeChanged(withAll('a'), 'a', { name: 'a' })).toEqual(withAll('a'));
  });

  it('throw an error for an unknown name', () => {
    const device = withAll('a');
    for (const act of [
      () => attributeNamed(device, 'b'),
      () => withAttributeChanged(device, 'b', {}),
      () => withoutAttribute(device, 'toString'),
    ])
      expect(act).toThrow('Device attribute was not found');
  });

  it('limit the number of attributes', () => {
    const full = withAll(...Array.from({ length: MAX_ATTRIBUTES }, (_, n) => `a${n}`));
    expect(() => withAttribute(full, number('b'))).toThrow('A device can have at most 256 attributes');
    expect(withAttribute(withoutAttribute(full, 'a0'), number('b')).attributes).toHaveLength(MAX_ATTRIBUTES);
  });

  it('give each attribute a unique number that is never reused, for any sequence of changes', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', '__proto__');
    const step = fc.record({ act: fc.constantFrom('add', 'rename', 'remove'), name, to: name });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let device = NONE;
        const gone = new Set<number>();
        for (const { act, name, to } of steps) {
          const before = device;
          try {
            if (act === 'add') device = withAttribute(device, number(name));
            else if (act === 'rename') device = withAttributeChanged(device, name, { name: to });
            else device = withoutAttribute(device, name);
          } catch {
            expect(device).toBe(before);
          }
          const numbers = Object.values(device.attributeNumbers);
          for (const one of Object.values(before.attributeNumbers)) if (!numbers.includes(one)) gone.add(one);
          expect(Object.keys(device.attributeNumbers).sort()).toEqual(
            device.attributes.map((attribute) => attribute.name).sort(),
          );
          expect(new Set(numbers).size).toBe(numbers.length);
          for (const one of numbers) expect(gone.has(one)).toBe(false);
        }
      }),
    );
  });
});
