import { runNode } from '../../../../test/doubles/run-node.js';
import { dateTimeNode } from './index.js';

const TIME = new Date('2024-01-31T22:30:15.250Z');

const result = async (config: object, payload: object = { time: TIME }): Promise<unknown> => {
  const given = { sourcePath: 'time', resultPath: 'r', ...config };
  return ((await runNode(dateTimeNode, given, payload)).payload as { r: unknown }).r;
};

describe('DateTimeNode', () => {
  it('subtracts from a time, with a result format', async () => {
    const config = {
      operation: 'subtract',
      numberValue: '24',
      unit: 'hour',
      timezone: 'UTC',
      resultFormatString: 'x',
    };
    expect(await result(config, { time: '2024-01-02T00:00:00.000Z' })).toBe('1704067200000');
  });

  it.each([
    [{ operation: 'add', numberValue: '1', unit: 'month' }, new Date('2024-02-29T22:30:15.250Z')],
    [{ numberValue: 1 }, new Date('2025-01-31T22:30:15.250Z')],
    [{ operation: 'add', numberValue: '-{{n}}', unit: 'day' }, new Date('2024-01-29T22:30:15.250Z')],
    [{ operation: 'startOfTime', unit: 'day' }, new Date('2024-01-31T00:00:00Z')],
    [{ operation: 'startOfTime', unit: 'day', timezone: 'Asia/Tokyo' }, new Date('2024-01-31T15:00:00Z')],
    [{ operation: 'startOfTime', unit: 'week' }, new Date('2024-01-28T00:00:00Z')],
    [{ operation: 'diff', diffDataPath: 'other' }, 900_250],
    [{ operation: 'diff', diffDataPath: 'other', unit: 'minute' }, 15],
    [{ operation: 'diff', diffDataPath: 'seconds', diffDataFormatString: 'X' }, 900_250],
    [{ operation: 'diff', diffDataPath: 'none' }, undefined],
    [
      { operation: 'format', resultFormatString: 'YYYY-MM-DD HH:mm', timezone: 'Asia/Tokyo' },
      '2024-02-01 07:30',
    ],
    [{ operation: 'format' }, '2024-01-31T22:30:15Z'],
    [{ operation: 'getDatePart', unit: 'day' }, 31],
    [{ operation: 'getDatePart', unit: 'dayOfWeek' }, 3],
    [{ operation: 'getDatePart', unit: 'quarter' }, 1],
    [{ operation: 'setDatePart', unit: 'dayOfYear', numberValue: '1' }, new Date('2024-01-01T22:30:15.250Z')],
    [{ operation: 'daysInMonth' }, 31],
    [{ operation: 'unixTimestampSeconds' }, 1_706_740_215],
    [{ operation: 'unixTimestampMilliseconds' }, TIME.getTime()],
    [{ operation: 'toArray' }, [2024, 0, 31, 22, 30, 15, 250]],
    [
      { operation: 'toObject' },
      { years: 2024, months: 0, date: 31, hours: 22, minutes: 30, seconds: 15, milliseconds: 250 },
    ],
  ])('computes %j', async (config, expected) => {
    const payload = { time: TIME, n: 2, other: '2024-01-31T22:15:15.000Z', seconds: 1_706_739_315 };
    expect(await result(config, payload)).toEqual(expected);
  });

  it.each([
    [TIME.getTime(), ''],
    [String(TIME.getTime()), ''],
    ['2024-01-31T22:30:15.250Z', ''],
    ['31.01.2024 22:30:15.250', 'DD.MM.YYYY HH:mm:ss.SSS'],
  ])('reads %j with the format %j', async (time, sourceFormatString) => {
    expect(await result({ operation: 'unixTimestampMilliseconds', sourceFormatString }, { time })).toBe(
      TIME.getTime(),
    );
  });

  it.each(['text', '', undefined, null, {}, true, NaN, `2024-01-01${' '.repeat(200)}`])(
    'writes undefined for the source %j',
    async (time) => {
      expect(await result({ operation: 'toArray' }, { time, r: 'before' })).toBeUndefined();
    },
  );

  it('takes the current time without a source', async () => {
    const before = Date.now();
    expect(await result({ operation: 'unixTimestampMilliseconds', sourcePath: '' })).toBeGreaterThanOrEqual(
      before,
    );
  });

  it.each([
    [{ operation: 'add', numberValue: 'x' }, 'numberValue must be a number'],
    [{ operation: 'add' }, 'numberValue must be a number'],
    [{ operation: 'setDatePart', numberValue: '1.5' }, 'numberValue must be an integer'],
    [{ operation: 'toArray', timezone: 'Nowhere' }, 'timezone must be the name of a time zone'],
    [{ operation: 'other' }, 'operation must be one of'],
    [{ operation: 'toArray', resultPath: '' }, 'resultPath is required'],
  ])('fails with %j', async (config, message) => {
    await expect(result(config)).rejects.toThrow(message);
  });
});
