/** So many characters of a job's id are the id that it has in the log of an application: 12 bytes. */
const CHARACTERS = 16;

/**
 * The id that a job has in the log of its application, 24 hexadecimal digits, since that is what ids in paths are. It is
 * the beginning of the job's own id, written otherwise, so whoever has the one has the other.
 */
export const jobLogId = (jobId: string): string =>
  Buffer.from(jobId.slice(0, CHARACTERS), 'base64url').toString('hex');

/** The beginning of a job's id that has `logId` in the log. */
export const jobIdPrefix = (logId: string): string => Buffer.from(logId, 'hex').toString('base64url');

/** The channel that says that a job has changed. */
export const jobChannel = (logId: string): string => `job:${logId}`;
