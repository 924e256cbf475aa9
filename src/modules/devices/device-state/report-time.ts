/** When a report is from, as devices say it. */
export type ReportTime = string | number | { $date: string };

const DAY = 86_400_000;
/** Less is seconds: as milliseconds it would be a time before 1973. */
const LEAST_MILLISECONDS = 1e11;
const NUMBER = /^-?\d{1,15}(\.\d{1,9})?$/;
const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Milliseconds since 1970 of what a report says: ISO 8601 (UTC where it names no offset), seconds or milliseconds since 1970, or, less
 * than 0, milliseconds before now. Now where it says nothing, or nothing that is a time.
 */
export function timeOf(time: ReportTime | undefined, now: number): number {
  if (time === undefined) return now;
  if (typeof time === 'number') return ofNumber(time, now);
  const text = (typeof time === 'string' ? time : time.$date).trim();
  if (NUMBER.test(text)) return ofNumber(Number(text), now);
  const iso = ISO.exec(text);
  if (!iso) return now;
  const parsed = Date.parse(iso[1] === undefined && text.includes(':') ? `${text}Z` : text);
  return Number.isNaN(parsed) ? now : parsed;
}

function ofNumber(time: number, now: number): number {
  if (time < 0) return Math.round(now + time);
  return Math.round(time < LEAST_MILLISECONDS ? time * 1000 : time);
}

/** Reports are from the last 30 days, or a day ahead at most; others are not taken. */
export const isTaken = (time: number, now: number): boolean => time >= now - 30 * DAY && time <= now + DAY;
