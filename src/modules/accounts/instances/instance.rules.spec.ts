import { ValidationError } from '../../../lib/errors/errors.js';
import { checkReportConfigs, isCron } from './instance.rules.js';

describe('A cron expression', () => {
  it.each([
    '* * * * *',
    '0 6 1 * *',
    '59 23 31 12 7',
    '*/15 0-6 1,15 * MON-FRI',
    '0 0 * jan,JUL sun',
    '5-50/5 */2 * 1-6 0',
    ' 0  6 1 * * ',
  ])('can be %j', (text) => expect(isCron(text)).toBe(true));

  it.each([
    '',
    '0 6 1 *',
    '0 0 6 1 * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 0 *',
    '* * * 13 *',
    '* * * * 8',
    '* * * * JAN',
    '* * * MON *',
    '50-5 * * * *',
    '*/0 * * * *',
    '*/ * * * *',
    '1,,2 * * * *',
    '1, * * * *',
    '-1 * * * *',
    '1.5 * * * *',
    '1e1 * * * *',
    '@daily',
    'constructor * * * *',
  ])('cannot be %j', (text) => expect(isCron(text)).toBe(false));

  it('with many entries is invalid if one of them is', () => {
    expect(isCron(`${'*/5,'.repeat(60)}x * * * *`)).toBe(false);
  });
});

describe('Report configurations', () => {
  it('keep their IDs and receive missing ones', () => {
    const [kept, first, second] = checkReportConfigs([
      { id: 'monthly', cron: '0 6 1 * *', timezone: 'Europe/Oslo' },
      { cron: '0 6 * * *' },
      { id: '', cron: '0 6 * * *' },
    ]);
    expect(kept).toEqual({ id: 'monthly', cron: '0 6 1 * *', timezone: 'Europe/Oslo' });
    expect(first!.id).toMatch(/^[0-9a-f]{24}$/);
    expect(second!.id).toMatch(/^[0-9a-f]{24}$/);
    expect(second!.id).not.toBe(first!.id);
  });

  it.each([
    [[{ cron: 'daily' }], 'instance.reportConfigs.0.cron must be a cron expression of five fields'],
    [
      [{ cron: '* * * * *' }, { cron: '* * * * *', timezone: 'Mars/Olympus' }],
      'instance.reportConfigs.1.timezone must be the IANA name of a time zone, such as Europe/Oslo',
    ],
    [
      [{ cron: '* * * * *', timezone: '' }],
      'instance.reportConfigs.0.timezone must be the IANA name of a time zone, such as Europe/Oslo',
    ],
    [
      [
        { id: 'a', cron: '* * * * *' },
        { id: 'a', cron: '0 * * * *' },
      ],
      'instance.reportConfigs.1.id "a" is a duplicate',
    ],
  ])('cannot be %j', (configs, message) => {
    expect(() => checkReportConfigs(configs)).toThrow(new ValidationError(message));
  });
});
