import {
  DEVICE_COUNTS,
  NOTEBOOK_MINUTE_COUNTS,
  PAYLOAD_COUNTS_BREAKDOWN,
  PAYLOAD_STATS,
} from './usage.schemas.js';

// Common parts of the operations for usage counts; `of` completes a sentence, `more` is appended to the description.

const BY_DAY = 'The response contains every day (UTC) that overlaps the time range, up to 400 days back.';
export const OWNED =
  'Payloads are attributed to the owner of the application at the time they were received. They are not moved when the application is transferred.';

const sentences = (...parts: readonly string[]): string => parts.filter(Boolean).join(' ');

export const deviceCounts = (of: string, more: string) => ({
  summary: `Returns daily device counts of ${of}`,
  description: sentences(
    'Returns the number of devices created and deleted on each day, and the number at its end. Moving or deleting an application also counts its devices as created or deleted.',
    BY_DAY,
    more,
  ),
  returns: { 200: DEVICE_COUNTS },
});

export const payloadCounts = (of: string, more: string, owned = '') => ({
  summary: `Returns payload counts of ${of}`,
  description: sentences(
    'Counts cover all whole hours (UTC) that overlap the time range. If it starts more than 90 days ago, they cover whole days, up to 400 days back.',
    owned,
    more,
  ),
  returns: { 200: PAYLOAD_STATS },
});

export const payloadCountsBreakdown = (of: string, more: string, owned = '') => ({
  summary: `Returns payload counts of ${of} over time`,
  description: sentences(
    'The response contains every step (UTC) that overlaps the time range: days up to 400 days back, hours up to 90 days back.',
    owned,
    more,
  ),
  returns: { 200: PAYLOAD_COUNTS_BREAKDOWN },
});

export const notebookMinuteCounts = (of: string, more: string) => ({
  summary: `Returns daily notebook minutes of ${of}`,
  description: sentences(BY_DAY, more),
  returns: { 200: NOTEBOOK_MINUTE_COUNTS },
});
