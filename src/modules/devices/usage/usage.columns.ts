import { DAYS_KEPT } from '../../../platform/counts/daily-counts.js';

/** For how many days payloads can be asked for by the hour. */
export const HOURS_KEPT = 90;

/** They are kept a day longer, so that nothing is removed while it is read. */
export const OLDEST_HOUR = `now() - interval '${HOURS_KEPT + 1} days'`;
export const OLDEST_DAY = `now() - interval '${DAYS_KEPT + 1} days'`;
export const ONE_HOUR = 'hours = 1';
export const ONE_DAY = 'hours = 24';
