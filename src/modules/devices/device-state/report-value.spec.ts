import fc from 'fast-check';
import { DATA_TYPES } from '../devices/device.schemas.js';
import { castValue, MAX_NUMBER, type ReportValue } from './report-value.js';

const long = 'ä'.repeat(32 * 1024);

describe('Value of a report', () => {
  it.each<[(typeof DATA_TYPES)[number], ReportValue, ReportValue | undefined]>([
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
  ])('of a %s: %j is accepted as %j', (type, value, accepted) => {
    expect(castValue(type, value)).toEqual(accepted);
  });

  const values = fc.oneof(fc.double(), fc.boolean(), fc.string(), fc.double().map(String));

  it('has the type of its attribute or is rejected', () => {
    const kinds = { number: 'number', boolean: 'boolean', string: 'string', blob: 'string', gps: 'string' };
    fc.assert(
      fc.property(fc.constantFrom(...DATA_TYPES), values, (type, value) => {
        const accepted = castValue(type, value);
        if (accepted !== undefined) expect(typeof accepted).toBe(kinds[type]);
        if (typeof accepted === 'number') expect(Math.abs(accepted)).toBeLessThanOrEqual(MAX_NUMBER);
      }),
    );
  });

  it('does not change when it is converted again', () => {
    fc.assert(
      fc.property(fc.constantFrom(...DATA_TYPES), values, (type, value) => {
        const accepted = castValue(type, value);
        if (accepted !== undefined) expect(castValue(type, accepted)).toBe(accepted);
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
