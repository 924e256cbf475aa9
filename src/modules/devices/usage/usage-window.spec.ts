import fc from 'fast-check';
import { stepStarts, DAY_MS, HOUR_MS, partsOf, stepsOf } from './usage-window.js';

const NOW = new Date('2026-06-13T10:20:30.400Z');
const at = (text: string) => new Date(text);

describe('Steps of a time range', () => {
  it.each([
    ['nothing asked for', {}, DAY_MS, '2026-06-01', '2026-06-14'],
    [
      'days that are touched',
      { start: at('2026-06-02T23:59:59.999Z'), end: at('2026-06-04T00:00:00.001Z') },
      DAY_MS,
      '2026-06-02',
      '2026-06-05',
    ],
    [
      'an end that is no part of it',
      { start: at('2026-06-02'), end: at('2026-06-04') },
      DAY_MS,
      '2026-06-02',
      '2026-06-04',
    ],
    [
      'an end to come',
      { start: at('2026-06-13'), end: at('2027-01-01') },
      HOUR_MS,
      '2026-06-13',
      '2026-06-13T11:00:00Z',
    ],
    [
      'a moment',
      { start: at('2026-06-13T09:00:00.001Z'), end: at('2026-06-13T09:00:00.002Z') },
      HOUR_MS,
      '2026-06-13T09:00:00Z',
      '2026-06-13T10:00:00Z',
    ],
  ])('are correct for %s', (_, asked, length, start, end) => {
    expect(stepsOf(asked, length, NOW)).toEqual({ start: at(start), end: at(end) });
  });

  it('consist of one at the very start of a month', () => {
    const month = at('2026-06-01T00:00:00.000Z');
    const span = stepsOf({}, DAY_MS, month);
    expect(span).toEqual({ start: month, end: at('2026-06-02') });
    expect(stepStarts(span, DAY_MS)).toEqual([month]);
  });

  it.each([
    ['an end before the beginning', { start: at('2026-06-02'), end: at('2026-06-01') }, /before end/],
    ['no time at all', { start: at('2026-06-02'), end: at('2026-06-02') }, /before end/],
    ['what is to come', { start: at('2026-06-14') }, /not in the future/],
    ['an end before the month', { end: at('2026-05-14') }, /before end/],
    ['what is not kept', { start: at('2025-05-01') }, /last 400 days/],
  ])('are rejected for %s', (_, asked, message) => {
    expect(() => stepsOf(asked, DAY_MS, NOW)).toThrow(message);
    expect(() => partsOf(asked, NOW)).toThrow(message);
  });

  it('are rejected for hours that are no longer stored', () => {
    expect(() => stepsOf({ start: at('2026-03-01') }, HOUR_MS, NOW)).toThrow(/last 90 days/);
  });
});

describe('Parts of a time range', () => {
  const times = fc.integer({ min: NOW.getTime() - 399 * DAY_MS, max: NOW.getTime() });

  it('cover the overlapping hours once, using whole days if possible', () => {
    fc.assert(
      fc.property(fc.uniqueArray(times, { minLength: 2, maxLength: 2 }), (pair) => {
        const [start, end] = pair.sort((a, b) => a - b).map((time) => new Date(time)) as [Date, Date];
        const { span, parts } = partsOf({ start, end }, NOW);
        expect(parts.length).toBeLessThanOrEqual(3);
        expect(parts[0]!.start).toEqual(span.start);
        expect(parts.at(-1)!.end).toEqual(span.end);
        for (const [i, part] of parts.entries()) {
          expect(part.start.getTime() % (part.hours * HOUR_MS)).toBe(0);
          expect(part.end.getTime() % (part.hours * HOUR_MS)).toBe(0);
          expect(part.end > part.start).toBe(true);
          if (i > 0) expect(part.start).toEqual(parts[i - 1]!.end);
          if (part.hours === 1) expect(part.end.getTime() - part.start.getTime()).toBeLessThan(2 * DAY_MS);
        }
        const kept = NOW.getTime() - 90 * DAY_MS;
        const widest = (time: Date) => (time.getTime() < kept ? DAY_MS : HOUR_MS);
        expect(start.getTime() - span.start.getTime()).toBeLessThan(widest(start));
        expect(span.end.getTime() - end.getTime()).toBeLessThan(widest(end));
      }),
    );
  });
});
