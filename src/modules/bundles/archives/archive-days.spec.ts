import fc from 'fast-check';
import { requestedDays, DAY, dayOf, dayText, nextDueDay, isOldEnough } from './archive-days.js';

const NOW = Date.UTC(2026, 10, 22, 12, 30);
const text = ({ first, last }: { first: number; last: number }) => [dayText(first), dayText(last)];

describe('requestedDays', () => {
  it('returns the days older than 31 days for which all data is still stored', () => {
    expect(text(requestedDays(NOW, 60 * 86_400))).toEqual(['2026-09-24', '2026-10-22']);
    expect(text(requestedDays(Date.UTC(2026, 10, 22), 60 * 86_400))).toEqual(['2026-09-23', '2026-10-22']);
  });

  it('returns an empty range when data is kept for 30 days', () => {
    const { first, last } = requestedDays(NOW, 30 * 86_400);
    expect(last).toBeLessThan(first);
  });

  it('contains only days of times that are old enough', () => {
    expect(isOldEnough(NOW - 31 * DAY, NOW)).toBe(false);
    expect(isOldEnough(NOW - 31 * DAY - 1, NOW)).toBe(true);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 * DAY }), (age) => {
        const time = NOW - age;
        expect(isOldEnough(time, NOW) && dayOf(time) > requestedDays(NOW, 9e9).last).toBe(false);
      }),
    );
  });
});

describe('nextDueDay', () => {
  it('returns a complete day: ended 30 days ago, or as long ago as requested', () => {
    expect(dayText(nextDueDay(NOW, 365 * 86_400))).toBe('2026-10-22');
    expect(dayText(nextDueDay(NOW, 365 * 86_400, 1))).toBe('2026-11-20');
    expect(dayText(nextDueDay(NOW, 365 * 86_400, 90))).toBe('2026-08-23');
  });

  it('returns a day with all of its data for at least one more day, however short the retention', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 400 }),
        fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: undefined }),
        fc.integer({ min: 0, max: DAY }),
        (keptDays, delayDays, later) => {
          const now = NOW + later;
          const day = nextDueDay(now, keptDays * 86_400, delayDays);
          expect(day % DAY).toBe(0);
          expect(day + DAY).toBeLessThanOrEqual(now);
          expect(now - day).toBeLessThanOrEqual(keptDays * DAY);
        },
      ),
    );
    expect(dayText(nextDueDay(NOW, 86_400))).toBe('2026-11-21');
  });
});
