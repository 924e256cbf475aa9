import { APPLICATION } from '../../../../test/contract/sample-paths.js';
import { type SampleRows } from '../../../../test/contract/samples.js';

export const ROWS: SampleRows = {
  [`${APPLICATION}/jobLogs/{jobId}`]: (samples, { applicationId }) => samples.insertJob(applicationId!),
};
