/** Milliseconds. */
export const DAY = 86_400_000;
/** Devices may report data up to this old, so a day is complete only after this many days. */
const COMPLETE_DAYS = 30;
/** On-demand archives are limited to days older than this. */
const MAX_REQUESTED_DAYS = 31;
/** A day is archived this many days before its data expires, so that a failed run can be followed by another. */
const SAFETY_DAYS = 2;

/** A range of UTC days. `first` and `last` are the start times of days, in milliseconds since 1970. */
export interface DayRange {
  first: number;
  last: number;
}

/** Returns the start of the UTC day that contains a time. */
export const dayOf = (time: number): number => Math.floor(time / DAY) * DAY;

/** Formats a day as it appears in object keys, `YYYY-MM-DD`. */
export const dayText = (day: number): string => new Date(day).toISOString().slice(0, 10);

/**
 * Returns the days that can be archived on demand: older than 31 days with all of their data still stored. Empty if
 * `last` is before `first`.
 */
export const requestedDays = (now: number, keptSeconds: number): DayRange => ({
  first: Math.max(0, Math.ceil((now - keptSeconds * 1000) / DAY) * DAY),
  last: dayOf(now - MAX_REQUESTED_DAYS * DAY),
});

/**
 * Returns the newest day for the daily archive: ended `delayDays` (30 by default) ago, or less if the owner's data
 * expires earlier.
 */
export function nextDueDay(now: number, keptSeconds: number, delayDays = COMPLETE_DAYS): number {
  const longest = Math.max(0, (keptSeconds * 1000) / DAY - SAFETY_DAYS);
  return dayOf(now - Math.min(delayDays, longest) * DAY) - DAY;
}

/** Whether a time is old enough to be archived on demand. */
export const isOldEnough = (time: number, now: number): boolean => time < now - MAX_REQUESTED_DAYS * DAY;
