/** How long payloads are kept by the hour, and by the day, in days. */
export const HOURS_KEPT = 90;
export const DAYS_KEPT = 400;

export const OLDEST_HOUR = `now() - interval '${HOURS_KEPT} days'`;
export const OLDEST_DAY = `now() - interval '${DAYS_KEPT} days'`;
export const ONE_HOUR = 'hours = 1';
export const ONE_DAY = 'hours = 24';
