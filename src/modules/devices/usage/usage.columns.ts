import { DAYS_KEPT } from '../../../platform/counts/daily-counts.js';

/** Number of days for which hourly payload counts are available. */
export const HOURS_KEPT = 90;

/** Stored one day longer, so that data is not deleted while it is read. */
export const OLDEST_HOUR = `now() - interval '${HOURS_KEPT + 1} days'`;
export const OLDEST_DAY = `now() - interval '${DAYS_KEPT + 1} days'`;
export const ONE_HOUR = 'hours = 1';
export const ONE_DAY = 'hours = 24';
