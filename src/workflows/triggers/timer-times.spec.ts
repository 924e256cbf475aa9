import { faultOfTimer, nextTime } from './timer-times.js';

const at = (text: string) => new Date(`${text}Z`);

describe('The times of a timer', () => {
  it.each([
    [{ seconds: 60 }, '2026-03-01T10:00:00', '2026-03-01T10:01:00'],
    [{ seconds: 1.5 }, '2026-03-01T10:00:00', '2026-03-01T10:00:01.500'],
    [{ cron: '*/5 * * * *' }, '2026-03-01T10:01:00', '2026-03-01T10:05:00'],
    [{ cron: '30 0 9 * * *' }, '2026-03-01T10:01:00', '2026-03-02T09:00:30'],
    [{ cron: '@daily' }, '2026-03-01T10:01:00', '2026-03-02T00:00:00'],
    [{ cron: '0 9 * * 1', tz: 'America/New_York' }, '2026-03-07T00:00:00', '2026-03-09T13:00:00'],
    // The clocks of Berlin go from 02:00 to 03:00 on 29 March.
    [{ cron: '0 4 * * *', tz: 'Europe/Berlin' }, '2026-03-28T12:00:00', '2026-03-29T02:00:00'],
    [{ cron: '0 0 29 2 *' }, '2026-03-01T00:00:00', '2028-02-29T00:00:00'],
    [{ cron: '', seconds: 10 }, '2026-03-01T10:00:00', '2026-03-01T10:00:10'],
    [{ cron: '0 0 1 JAN *', seconds: 10 }, '2026-03-01T10:00:00', '2027-01-01T00:00:00'],
  ])('of %j after %s', (spec, now, next) => {
    expect(nextTime(spec, at(now))).toEqual(at(next));
  });

  it.each([
    ['keep the phase', '10:00:00.250', '10:00:01.250'],
    ['skip those that were missed', '10:00:07.100', '10:00:08'],
    ['are not in the past if the timer was late', '10:00:00', '10:00:01'],
  ])('of an interval %s', (_, now, next) => {
    const day = '2026-03-01T';
    const phase = next.includes('.') ? '10:00:00.250' : '10:00:00';
    expect(nextTime({ seconds: 1 }, at(day + now), at(day + phase))).toEqual(at(day + next));
  });

  it.each([{}, { cron: '0 0 30 2 *' }, { cron: 'soon' }, { seconds: 0.1 }, { seconds: 1e15 }])(
    'of %j do not exist',
    (spec) => {
      expect(nextTime(spec, at('2026-03-01T00:00:00'))).toBeUndefined();
    },
  );
});

describe('The configuration of a timer', () => {
  it.each([
    [{ cron: '* * * *' }, 'config.cron is not a calendar of 5 or 6 fields'],
    [{ cron: '* * * * * * *' }, 'config.cron is not a calendar of 5 or 6 fields'],
    [{ cron: '61 * * * *' }, 'config.cron is not a calendar of 5 or 6 fields'],
    [{ cron: '0 0 L * *' }, 'config.cron is not a calendar of 5 or 6 fields'],
    [{ cron: '0 0 * * 5#2' }, 'config.cron is not a calendar of 5 or 6 fields'],
    [{ cron: '0 0 15W * *' }, 'config.cron is not a calendar of 5 or 6 fields'],
    [{ cron: '@reboot' }, 'config.cron is not a calendar of 5 or 6 fields'],
    [{ cron: '0 0 31 4,6,SEP,11 *' }, 'config.cron names no day that exists'],
    [{ cron: '0 0 30-31 2 *' }, 'config.cron names no day that exists'],
    [{ cron: '* * * * *', tz: 'Mars/Olympus' }, 'config.tz is not a time zone'],
    [{ seconds: 0.5 }, 'config.seconds must be at least 1'],
    [{ seconds: 31_622_401 }, 'config.seconds must be at most 31622400'],
  ])('is refused for %j', (spec, fault) => {
    expect(faultOfTimer(spec)).toBe(fault);
  });

  it.each([
    {},
    { seconds: 1 },
    { seconds: 31_622_400 },
    { cron: '0 0 31 */2 *' },
    { cron: '0 0 30 2 1' },
    { cron: '0 0 * * MON-FRI', tz: 'Europe/Berlin' },
    { cron: '*/15 * * * * *' },
  ])('is accepted for %j', (spec) => {
    expect(faultOfTimer(spec)).toBeUndefined();
  });
});
