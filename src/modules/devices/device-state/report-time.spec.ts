import fc from 'fast-check';
import { ValidationError } from '../../../lib/errors/errors.js';
import { acceptedTime, isAccepted, receivedTime, timeOf, type ReportTime } from './report-time.js';

const NOW = Date.parse('2026-06-13T04:00:00.123Z');
const DAY = 86_400_000;

describe('Time of a report', () => {
  it.each<[ReportTime | undefined, string]>([
    [undefined, '2026-06-13T04:00:00.123Z'],
    ['2026-06-12', '2026-06-12T00:00:00.000Z'],
    ['2026-06-12T10:20:30.456Z', '2026-06-12T10:20:30.456Z'],
    ['2026-06-12T10:20:30', '2026-06-12T10:20:30.000Z'],
    ['2026-06-12 10:20', '2026-06-12T10:20:00.000Z'],
    ['2026-06-12T10:20:30.456789+02:00', '2026-06-12T08:20:30.456Z'],
    ['2026-06-12T10:20:30-0230', '2026-06-12T12:50:30.000Z'],
    [{ $date: '2026-06-12T10:20:30.456Z' }, '2026-06-12T10:20:30.456Z'],
    [{ $date: '1781256030456' }, '2026-06-12T09:20:30.456Z'],
    [1_781_256_030_456, '2026-06-12T09:20:30.456Z'],
    [1_781_256_030, '2026-06-12T09:20:30.000Z'],
    [1_781_256_030.4564, '2026-06-12T09:20:30.456Z'],
    ['1781256030', '2026-06-12T09:20:30.000Z'],
    [-1, '2026-06-13T04:00:00.122Z'],
    [-60_000, '2026-06-13T03:59:00.123Z'],
    ['-60000', '2026-06-13T03:59:00.123Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    ['yesterday', '2026-06-13T04:00:00.123Z'],
    ['', '2026-06-13T04:00:00.123Z'],
    ['2026-13-40T10:20:30Z', '2026-06-13T04:00:00.123Z'],
    ['June 12, 2026', '2026-06-13T04:00:00.123Z'],
    [{ $date: 'yesterday' }, '2026-06-13T04:00:00.123Z'],
  ])('%j is parsed as %s', (time, expected) => {
    expect(new Date(timeOf(time, NOW, 'time')).toISOString()).toBe(expected);
  });

  it.each([
    '2026-02-29',
    '2026-02-31',
    '2026-02-31T10:20:30Z',
    '2026-04-31 10:20',
    { $date: '2026-06-31T10:20:30+02:00' },
  ])('%j, on a day that its month does not have, is refused', (time) => {
    expect(() => timeOf(time, NOW, 'deviceState.time')).toThrow(
      new ValidationError('deviceState.time must be a date that exists'),
    );
  });

  it('is the same in every format', () => {
    const times = fc.integer({ min: Date.parse('1980-01-01'), max: Date.parse('2100-01-01') });
    fc.assert(
      fc.property(times, (time) => {
        const text = new Date(time).toISOString();
        const forms = [
          text,
          { $date: text },
          time,
          String(time),
          text.replace('Z', ''),
          text.replace('Z', '+00:00'),
        ];
        for (const form of forms) expect(timeOf(form, NOW, 'time')).toBe(time);
        expect(timeOf(time / 1000, NOW, 'time')).toBe(time);
        if (time < NOW) expect(timeOf(time - NOW, NOW, 'time')).toBe(time);
      }),
    );
  });

  it('is an integer for any input', () => {
    const received = fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.record({ $date: fc.string() }));
    fc.assert(
      fc.property(received, (time) => {
        const read = timeOf(time, NOW, 'time');
        if (isAccepted(read, NOW)) expect(Number.isInteger(read)).toBe(true);
      }),
    );
  });

  it.each([
    [-30 * DAY, true],
    [-30 * DAY - 1, false],
    [DAY, true],
    [DAY + 1, false],
    [Number.POSITIVE_INFINITY, false],
    [Number.NaN, false],
  ])('at %d milliseconds from now is accepted: %s', (offset, accepted) => {
    expect(isAccepted(NOW + offset, NOW)).toBe(accepted);
  });

  it.each<[ReportTime | undefined, number]>([
    [undefined, NOW],
    [0, NOW],
    ['0', NOW],
    [{ $date: '0' }, NOW],
    [1, NOW],
    [86_399.999, NOW],
    ['1970-01-01T00:00:00.000Z', NOW],
    [{ $date: '1970-01-01T23:59:59.999Z' }, NOW],
    ['1969-12-31', NOW],
    [86_400, DAY],
    ['1970-01-02', DAY],
    [-DAY, NOW - DAY],
    [1_781_256_030, 1_781_256_030_000],
  ])('%j of a device that may have no clock is received as %d', (time, expected) => {
    expect(receivedTime(time, NOW, 'time')).toBe(expected);
  });

  it('is the current time if the report has none, or one that is not accepted', () => {
    expect(acceptedTime(undefined, NOW, 'time')).toEqual(new Date(NOW));
    expect(acceptedTime(-31 * DAY, NOW, 'time')).toEqual(new Date(NOW));
    expect(acceptedTime(0, NOW, 'time')).toEqual(new Date(NOW));
    expect(acceptedTime(-DAY, NOW, 'time')).toEqual(new Date(NOW - DAY));
  });
});
