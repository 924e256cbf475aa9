/** Milliseconds. */
export const DAY = 86_400_000;
/** Devices may report what is so old: then a day is complete. */
const COMPLETE_DAYS = 30;
/** What is asked for is older than this. */
const ASKED_DAYS = 31;
/** A day is archived so long before the owner's data of it goes, that a run which fails is followed by another. */
const SPARE_DAYS = 2;

/** Days (UTC) by when they begin, milliseconds since 1970: the first and the last. */
export interface Days {
  first: number;
  last: number;
}

/** When the day of a time begins. */
export const dayOf = (time: number): number => Math.floor(time / DAY) * DAY;

/** A day as keys have it. */
export const dayText = (day: number): string => new Date(day).toISOString().slice(0, 10);

/** The days that may be asked for: older than 31 days, and with all of their data still there; none where `last` is before `first`. */
export const askedDays = (now: number, keptSeconds: number): Days => ({
  first: Math.max(0, Math.ceil((now - keptSeconds * 1000) / DAY) * DAY),
  last: dayOf(now - ASKED_DAYS * DAY),
});

/** The newest day that the daily archive takes: over for `delayDays`, or 30, or as long as the owner's data allows. */
export function dueDay(now: number, keptSeconds: number, delayDays = COMPLETE_DAYS): number {
  const longest = Math.max(0, (keptSeconds * 1000) / DAY - SPARE_DAYS);
  return dayOf(now - Math.min(delayDays, longest) * DAY) - DAY;
}

/** Whether a time is older than what may be asked for has to be. */
export const isOldEnough = (time: number, now: number): boolean => time < now - ASKED_DAYS * DAY;
