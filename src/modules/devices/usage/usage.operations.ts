import type { OperationOptions } from '../../../platform/operations/operation.js';
import {
  DEVICE_COUNTS,
  NOTEBOOK_MINUTE_COUNTS,
  PAYLOAD_COUNTS_BREAKDOWN,
  PAYLOAD_STATS,
} from './usage.schemas.js';

const BY_DAY_NOTE =
  'The response contains every day (UTC) that overlaps the time range, up to 400 days back.';
/** Sentence on the attribution of payloads that are counted by owner. */
export const ATTRIBUTION_NOTE =
  'Payloads are attributed to the owner of the application at the time they were received. They are not moved when the application is transferred.';

/** Resource whose usage is counted. */
interface Counted extends Pick<OperationOptions, 'scopes' | 'role' | 'missing'> {
  /** Resource, as it completes `Returns payload counts of`. */
  of: string;
  /** Sentence on what the counts include. */
  includes?: string;
  /** Sentence on the attribution of payloads, if they are counted by owner. */
  owned?: string;
}

const sentences = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(' ');

/** Returns the operations for the usage counts of a resource. */
export const usageOperations = ({ of, includes, owned, ...access }: Counted) => ({
  payloadCounts: {
    summary: `Returns payload counts of ${of}`,
    description: sentences(
      'Counts cover all whole hours (UTC) that overlap the time range. If it starts more than 90 days ago, they cover whole days, up to 400 days back.',
      owned,
      includes,
    ),
    ...access,
    returns: { 200: PAYLOAD_STATS },
  },
  payloadCountsBreakdown: {
    summary: `Returns payload counts of ${of} over time`,
    description: sentences(
      'The response contains every step (UTC) that overlaps the time range: days up to 400 days back, hours up to 90 days back.',
      owned,
      includes,
    ),
    ...access,
    returns: { 200: PAYLOAD_COUNTS_BREAKDOWN },
  },
  deviceCounts: {
    summary: `Returns daily device counts of ${of}`,
    description: sentences(
      'Returns the number of devices created and deleted on each day, and the number at its end. Moving or deleting an application also counts its devices as created or deleted.',
      BY_DAY_NOTE,
      includes,
    ),
    ...access,
    returns: { 200: DEVICE_COUNTS },
  },
  notebookMinuteCounts: {
    summary: `Returns daily notebook minutes of ${of}`,
    description: sentences(BY_DAY_NOTE, includes),
    ...access,
    returns: { 200: NOTEBOOK_MINUTE_COUNTS },
  },
});
