import { APPLICATION } from '../../../../test/contract/sample-paths.js';
import { type SampleRows } from '../../../../test/contract/samples.js';

export const ROWS: SampleRows = {
  [APPLICATION]: (samples) => samples.insertApplication(),
};
