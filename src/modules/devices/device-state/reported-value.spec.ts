import fc from 'fast-check';
import { DATA_TYPES } from '../devices/device.schemas.js';
import { castValue, MAX_NUMBER, type ReportedValue } from './reported-value.js';

const long = 'ä'.repeat(32 * 1024);

describe('Reported value', () => {
  it.each<[(typeof DATA_TYPES)[number], ReportedValue, ReportedValue | undefined]>([
    ['number', 21.5, 21.5],
    ['number', ' -21.5e1 ', -215],
    ['number', '.5', 0.5],
    ['number', true, 1],
    ['number', false, 0],
    ['number', -0, 0],
    ['number', 1e100, 1e100],
    ['number', 1.1e100, undefined],
    ['number', '', undefined],
    ['number', ' ', undefined],
    ['number', '0x10', undefined],
    ['number', 'Infinity', undefined],
    ['number', 'NaN', undefined],
    ['number', '1e999', undefined],
    ['number', '1 2', undefined],
    ['number', '0'.repeat(401), undefined],
    ['string', 'open', 'open'],
    ['string', '', ''],
    ['string', 21.5, '21.5'],
    ['string', false, 'false'],
    ['string', long, long],
    ['string', `${long}.`, undefined],
    ['blob', long, long],
    ['blob', `${long}.`, undefined],
    ['boolean', true, true],
    ['boolean', 'TRUE ', true],
    ['boolean', '0', false],
    ['boolean', 2, true],
    ['boolean', 0, false],
    ['boolean', 'on', undefined],
    ['gps', '1,2', '1,2'],
    ['gps', 1, undefined],
    ['gps', true, undefined],
  ])('of a %s: %j is stored as %j', (type, value, stored) => {
    expect(castValue(type, value)).toEqual(stored);
  });

  const values = fc.oneof(fc.double(), fc.boolean(), fc.string(), fc.double().map(String));

  it('has the type of its attribute or is rejected', () => {
    const kinds = { number: 'number', boolean: 'boolean', string: 'string', blob: 'string', gps: 'string' };
    fc.assert(
      fc.property(fc.constantFrom(...DATA_TYPES), values, (type, value) => {
        const stored = castValue(type, value);
        if (stored !== undefined) expect(typeof stored).toBe(kinds[type]);
        if (typeof stored === 'number') expect(Math.abs(stored)).toBeLessThanOrEqual(MAX_NUMBER);
      }),
    );
  });

  it('does not change when it is converted again', () => {
    fc.assert(
      fc.property(fc.constantFrom(...DATA_TYPES), values, (type, value) => {
        const stored = castValue(type, value);
        if (stored !== undefined) expect(castValue(type, stored)).toBe(stored);
      }),
    );
  });

  it('is converted back to a number if it was a number in a text', () => {
    fc.assert(
      fc.property(fc.double({ min: -MAX_NUMBER, max: MAX_NUMBER, noNaN: true }), (number) => {
        expect(castValue('number', String(number))).toBe(number + 0);
      }),
    );
  });
});
