/** Number of characters of a job ID that determine the log ID, which is 12 bytes. */
const LOG_ID_CHARACTERS = 16;
/** Length of a job ID. */
export const JOB_ID_CHARACTERS = 21;

/**
 * Returns the log ID of a job: 24 hexadecimal digits, as required for IDs in paths. It encodes the beginning of the job
 * ID, so each of the two identifies the other.
 */
export const jobLogId = (jobId: string): string =>
  Buffer.from(jobId.slice(0, LOG_ID_CHARACTERS), 'base64url').toString('hex');

/** A job ID or the ID of a job in the job log, as `GET jobLogs/{jobId}` accepts them. */
export const JOB_ID_PATTERN = '^([A-Fa-f\\d]{24}|[\\w-]{21})$';

/** Returns the log ID of the job that a path names by either ID; `undefined` for other text. */
export function parseJobId(text: string): string | undefined {
  if (!new RegExp(JOB_ID_PATTERN).test(text)) return undefined;
  return text.length === JOB_ID_CHARACTERS ? jobLogId(text) : text.toLowerCase();
}

/** Returns the beginning of the ID of the job with the log ID `logId`. */
export const jobIdPrefix = (logId: string): string => Buffer.from(logId, 'hex').toString('base64url');

/** Returns the name of the channel that announces changes of a job. */
export const jobChannel = (logId: string): string => `job:${logId}`;
