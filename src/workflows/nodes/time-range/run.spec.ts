import { runNode } from '../../../../test/doubles/run-node.js';
import { timeRangeNode } from './index.js';

const WEEKDAYS = [false, true, true, true, true, true, false];
const WORK = {
  startTimeTemplate: '08:00',
  endTimeTemplate: '17:00',
  timeZoneTemplate: 'UTC',
  days: WEEKDAYS,
};

const output = async (config: object, time: unknown, others = {}): Promise<unknown> =>
  (await runNode(timeRangeNode, { sourcePath: 'time', ...config }, { time, ...others })).output;

describe('TimeRangeNode', () => {
  it.each([
    [WORK, '2024-01-15T08:00:00Z', 1],
    [WORK, '2024-01-15T17:00:00Z', 0],
    [WORK, '2024-01-14T09:00:00Z', 0],
    [{ ...WORK, timeZoneTemplate: 'Asia/Tokyo' }, '2024-01-14T23:30:00Z', 1],
    [{ startTimeTemplate: '22:00', endTimeTemplate: '06:00' }, '2024-01-15T23:00:00Z', 1],
    [{ startTimeTemplate: '22:00', endTimeTemplate: '06:00' }, '2024-01-15T05:59:59Z', 1],
    [{ startTimeTemplate: '22:00', endTimeTemplate: '06:00' }, '2024-01-15T06:00:00Z', 0],
    [{}, '2024-01-15T12:00:00Z', 1],
    [{ days: [] }, '2024-01-15T12:00:00Z', 0],
    [WORK, 'no date', 0],
  ])('takes the output of %j at %j', async (config, time, expected) => {
    expect(await output(config, time)).toBe(expected);
    expect(await output(config, new Date(time))).toBe(expected);
  });

  it.each([
    [WEEKDAYS, 1],
    [[1, 2], 1],
    [['1'], 1],
    [[0, 2], 0],
    [[], 0],
  ])('reads the days %j from a path', async (days, expected) => {
    expect(await output({ daysType: 'path', daysPath: 'days' }, '2024-01-15T12:00:00Z', { days })).toBe(
      expected,
    );
  });

  it('takes the time of the payload without a source, and writes the result', async () => {
    const config = { sourcePath: '', branchPath: 'r', endTimeTemplate: '12:00' };
    const time = new Date('2024-01-15T11:00:00Z');
    expect(await runNode(timeRangeNode, config, { time })).toMatchObject({
      output: 1,
      payload: { time, r: true },
    });
  });

  it.each([
    [{ startTimeTemplate: '25:00' }, 'startTimeTemplate must be a time'],
    [{ endTimeTemplate: 'noon' }, 'endTimeTemplate must be a time'],
    [{ timeZoneTemplate: 'Nowhere' }, 'timeZoneTemplate must be the name of a time zone'],
    [{ daysType: 'path', daysPath: 'none' }, 'daysPath must refer to a list'],
    [{ days: ['x'] }, 'days.0 must be a boolean'],
  ])('fails with %j', async (config, message) => {
    await expect(output(config, '2024-01-15T12:00:00Z', { none: 5 })).rejects.toThrow(message);
  });
});
