import { newId } from '../repositories/resource.js';
import { jobIdPrefix, jobLogId } from './job-log-id.js';

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
