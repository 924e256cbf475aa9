import { Cron } from 'croner';
import { LRUCache } from 'lru-cache';
import { isObject } from '../../lib/json/json.js';
import { isTimeZone } from '../../lib/time/time-zone.js';

/** Times of a timer, as its trigger configures them: a calendar, or an interval. */
export interface TimerSpec {
  /** Seconds between two firings. */
  readonly seconds?: number;
  /** Calendar of 5 fields, or of 6 with seconds first, or a word such as `@daily`. Takes precedence over `seconds`. */
  readonly cron?: string;
  /** Time zone of the calendar; UTC if absent or empty. */
  readonly tz?: string;
}

/** Shortest interval of a timer on the platform and on edge devices, and the longest, in seconds. */
const MIN_SECONDS = 1;
export const MIN_EDGE_SECONDS = 0.1;
const MAX_SECONDS = 366 * 86_400;
const WORDS = /^@(yearly|monthly|weekly|daily|hourly)$/;
/** Five or six fields of numbers, names, `*`, lists, ranges and steps. Excludes extensions such as `L` and `#`. */
const FIELDS = /^[\d*/,-]+(\s+[\d*/,-]+){2,3}\s+[\w*/,-]+\s+[\w*/,-]+$/;
const EXTENSIONS = /(?:^|[\s,\d*-])[LW](?:$|[\s,])|[#?]/;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
/** Days of the months, in a leap year. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MAX_CALENDARS = 1_000;

/**
 * Reads the times of a stored timer. Workflows are checked when they are saved, but a stored value of another type must
 * not stop the timers of others: such a timer has no times.
 */
export function timerSpecOf(config: unknown): TimerSpec {
  if (!isObject(config)) return {};
  const { seconds, cron, tz } = config;
  const isReadable =
    (seconds === undefined || typeof seconds === 'number') && [cron, tz].every(isOptionalText);
  return isReadable ? config : {};
}

const isOptionalText = (value: unknown): boolean => value === undefined || typeof value === 'string';

const calendars = new LRUCache<string, Cron>({ max: MAX_CALENDARS });

/** Returns the error in the times of a timer, or `undefined`. */
export function faultOfTimer(
  { seconds, cron = '', tz = '' }: TimerSpec,
  minSeconds = MIN_SECONDS,
): string | undefined {
  if (cron.trim() === '') {
    if (seconds === undefined) return undefined;
    if (seconds < minSeconds) return `config.seconds must be at least ${minSeconds}`;
    return seconds > MAX_SECONDS ? `config.seconds must be at most ${MAX_SECONDS}` : undefined;
  }
  const text = cron.trim();
  if (!WORDS.test(text) && (!FIELDS.test(text) || EXTENSIONS.test(text)))
    return 'config.cron is not a calendar of 5 or 6 fields';
  if (tz !== '' && !isTimeZone(tz)) return 'config.tz is not a time zone';
  try {
    calendarOf({ cron, tz });
    return isPossible(text) ? undefined : 'config.cron names no day that exists';
  } catch {
    return 'config.cron is not a calendar of 5 or 6 fields';
  }
}

/**
 * Returns the first time of a timer after `now`, or `undefined` if it has none. Intervals keep the phase of `last`, the
 * time at which the timer was due; missed times are skipped.
 */
export function nextTime(
  spec: TimerSpec,
  now: Date,
  last?: Date,
  minSeconds = MIN_SECONDS,
): Date | undefined {
  if (faultOfTimer(spec, minSeconds)) return undefined;
  if (spec.cron?.trim()) return calendarOf(spec).nextRun(now) ?? undefined;
  if (spec.seconds === undefined) return undefined;
  const interval = spec.seconds * 1000;
  const from = last ?? now;
  const periods = Math.max(1, Math.floor((now.getTime() - from.getTime()) / interval) + 1);
  return new Date(from.getTime() + periods * interval);
}

function calendarOf({ cron = '', tz = '' }: TimerSpec): Cron {
  const text = cron.trim();
  const key = `${tz}\n${text}`;
  let calendar = calendars.get(key);
  if (!calendar) calendars.set(key, (calendar = new Cron(text, { timezone: tz || 'UTC', paused: true })));
  return calendar;
}

/**
 * Returns whether one of the named days exists in one of the named months. The library would search decades for 30
 * February. A day of the week makes every month possible.
 */
function isPossible(text: string): boolean {
  if (WORDS.test(text)) return true;
  const [day, month, weekday] = text.split(/\s+/).slice(-3) as [string, string, string];
  if (weekday !== '*') return true;
  const days = valuesOf(day, 31);
  return valuesOf(month, 12).some((name) => days.some((one) => one <= DAYS[name - 1]!));
}

/** Returns the values of a field that the library has accepted: a list of numbers, names, ranges and steps. */
function valuesOf(field: string, max: number): number[] {
  const numberOf = (text: string) => MONTHS.indexOf(text.toUpperCase()) + 1 || Number(text);
  return field.split(',').flatMap((part) => {
    const [range, step] = part.split('/') as [string, string | undefined];
    const [first, last = step === undefined ? first : max] =
      range === '*' ? [1, max] : range.split('-').map(numberOf);
    return Array.from(
      { length: Math.floor((last! - first!) / Number(step ?? 1)) + 1 },
      (_, i) => first! + i * Number(step ?? 1),
    );
  });
}
