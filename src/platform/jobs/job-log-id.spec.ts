import { newId } from '../repositories/resource.js';
import { jobIdPrefix, jobLogId } from './job-log-id.js';

describe('The id of a job in the log', () => {
  it('follows from its own, and the other way round', () => {
    for (const logId of [newId(), '0'.repeat(24), 'f'.repeat(24)]) {
      const jobId = `${jobIdPrefix(logId)}_-aZ9`;
      expect(jobId).toMatch(/^[\w-]{21}$/);
      expect(jobLogId(jobId)).toBe(logId);
    }
  });

  it('is an id whatever the job was called', () => {
    expect(jobLogId('clnHvJbyVkOWAZwYAwLP4')).toMatch(/^[a-f\d]{24}$/);
    expect(jobLogId('_-_-_-_-_-_-_-_-_-_-_')).toMatch(/^[a-f\d]{24}$/);
  });
});
