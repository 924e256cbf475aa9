import {
  DEVICE_COUNTS,
  NOTEBOOK_MINUTE_COUNTS,
  PAYLOAD_COUNTS_BREAKDOWN,
  PAYLOAD_STATS,
} from './usage.schemas.js';

// What the operations of those who use something have in common; `of` completes a sentence, `more` follows it.

const BY_DAY = 'The answer has each day, by UTC, that the time touches, at most 400 days back.';
export const OWNED =
  'Payloads are those of whoever owned the application when they came: a transfer takes none of them along.';

const sentences = (...parts: readonly string[]): string => parts.filter(Boolean).join(' ');

export const deviceCounts = (of: string, more: string) => ({
  summary: `Returns how many devices ${of} had, day by day`,
  description: sentences(
    'How many came and went on each day, and how many there were at its end. Devices come and go with their application too, when it is moved or deleted.',
    BY_DAY,
    more,
  ),
  returns: { 200: DEVICE_COUNTS },
});

export const payloadCounts = (of: string, more: string, owned = '') => ({
  summary: `Returns how many payloads ${of} had`,
  description: sentences(
    'Counted in whole hours, by UTC, that the time touches; in whole days where it is more than 90 days back, and at most 400.',
    owned,
    more,
  ),
  returns: { 200: PAYLOAD_STATS },
});

export const payloadCountsBreakdown = (of: string, more: string, owned = '') => ({
  summary: `Returns how many payloads ${of} had, step by step`,
  description: sentences(
    'The answer has each step, by UTC, that the time touches: days at most 400 days back, hours at most 90.',
    owned,
    more,
  ),
  returns: { 200: PAYLOAD_COUNTS_BREAKDOWN },
});

export const notebookMinuteCounts = (of: string, more: string) => ({
  summary: `Returns how long notebooks of ${of} ran, day by day`,
  description: sentences(BY_DAY, more),
  returns: { 200: NOTEBOOK_MINUTE_COUNTS },
});
