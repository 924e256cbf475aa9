/** Number of characters of a job ID that determine the log ID, which is 12 bytes. */
const LOG_ID_CHARACTERS = 16;

/**
 * Returns the log ID of a job: 24 hexadecimal digits, as required for IDs in paths. It encodes the beginning of the job
 * ID, so each of the two identifies the other.
 */
export const jobLogId = (jobId: string): string =>
  Buffer.from(jobId.slice(0, LOG_ID_CHARACTERS), 'base64url').toString('hex');

/** Returns the beginning of the ID of the job with the log ID `logId`. */
export const jobIdPrefix = (logId: string): string => Buffer.from(logId, 'hex').toString('base64url');

/** Returns the name of the channel that announces changes of a job. */
export const jobChannel = (logId: string): string => `job:${logId}`;
