import { newId } from '../repositories/resource.js';
import { jobIdPrefix, jobLogId, parseJobId } from './job-log-id.js';

describe('jobLogId', () => {
  it('converts a job ID to its log ID, and jobIdPrefix reverses it', () => {
    for (const logId of [newId(), '0'.repeat(24), 'f'.repeat(24)]) {
      const jobId = `${jobIdPrefix(logId)}_-aZ9`;
      expect(jobId).toMatch(/^[\w-]{21}$/);
      expect(jobLogId(jobId)).toBe(logId);
    }
  });

  it('returns a valid ID for every job ID', () => {
    expect(jobLogId('clnHvJbyVkOWAZwYAwLP4')).toMatch(/^[a-f\d]{24}$/);
    expect(jobLogId('_-_-_-_-_-_-_-_-_-_-_')).toMatch(/^[a-f\d]{24}$/);
  });
});

describe('parseJobId', () => {
  it('returns the log ID for both IDs of a job', () => {
    const jobId = 'clnHvJbyVkOWAZwYAwLP4';
    expect(parseJobId(jobId)).toBe(jobLogId(jobId));
    expect(parseJobId(jobLogId(jobId).toUpperCase())).toBe(jobLogId(jobId));
  });

  it('returns nothing for other text', () => {
    for (const text of ['', 'no-id', 'a'.repeat(20), 'a'.repeat(22), 'g'.repeat(24), '.'.repeat(21)])
      expect(parseJobId(text)).toBeUndefined();
  });
});
