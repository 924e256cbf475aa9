import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { dateOf, zoneOf, type Moment } from '../dates.js';
import { payloadTime } from '../run-values.js';
import * as setting from '../settings.js';

const DAYS = 7;

const settings = setting.all(
  setting.group({
    sourcePath: setting.optional(setting.path),
    startTimeTemplate: setting.template,
    endTimeTemplate: setting.template,
    timeZoneTemplate: setting.template,
    branchPath: setting.target,
  }),
  setting.variant(
    'daysType',
    {
      array: setting.group({ days: setting.optional(setting.list(setting.flag(), DAYS)) }),
      path: setting.group({ daysPath: setting.required(setting.path) }),
    },
    'array',
  ),
);

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ sourcePath, startTimeTemplate, endTimeTemplate, timeZoneTemplate, branchPath, ...config }) =>
    ({ payload }) => {
      const { data } = payload;
      const start = minutes(startTimeTemplate(data), 'startTimeTemplate');
      const end = minutes(endTimeTemplate(data), 'endTimeTemplate');
      const zone = zoneOf(timeZoneTemplate(data), 'timeZoneTemplate');
      const allows = dayRule(config.daysType === 'array' ? config.days : config.daysPath(data));
      const time = dateOf(sourcePath ? sourcePath(data) : payloadTime(data), zone);
      const isIn = time !== undefined && allows(time.day()) && isWithin(time, start, end);
      branchPath(payload, isIn);
      return isIn ? 1 : 0;
    },
};

const TIME = /^\s*([01]?\d|2[0-3]):([0-5]\d)\s*$/;

/** Returns a time of day, such as `08:30`, as minutes since midnight. */
function minutes(text: string, at: string): number {
  if (text.trim() === '') return 0;
  const [, hours, rest] = TIME.exec(text) ?? [];
  if (hours === undefined) throw invalidSetting(at, 'must be a time such as 08:30');
  return Number(hours) * 60 + Number(rest);
}

/** Returns whether a time of day is from `start` to `end`, exclusive. Equal times are a whole day. */
function isWithin(time: Moment, start: number, end: number): boolean {
  const at = time.hours() * 60 + time.minutes();
  if (start === end) return true;
  return start < end ? at >= start && at < end : at >= start || at < end;
}

/** Returns the rule of the days of the week: seven flags from Sunday, or numbers of days. All days if absent. */
function dayRule(days: unknown): (day: number) => boolean {
  if (days === undefined) return () => true;
  if (!Array.isArray(days)) throw invalidSetting('daysPath', 'must refer to a list of days');
  if (days.some((one) => typeof one === 'boolean')) return (day) => days[day] === true;
  return (day) => days.some((one) => one !== '' && Number(one) === day);
}
