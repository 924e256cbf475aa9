import { RETENTION_DAYS } from '../../../platform/counts/daily-counts.js';

/** Number of days for which hourly payload counts are available. */
export const HOUR_RETENTION_DAYS = 90;

/** Stored one day longer, so that data is not deleted while it is read. */
export const HOUR_RETENTION_START = `now() - interval '${HOUR_RETENTION_DAYS + 1} days'`;
export const DAY_RETENTION_START = `now() - interval '${RETENTION_DAYS + 1} days'`;
export const ONE_HOUR = 'hours = 1';
export const ONE_DAY = 'hours = 24';
