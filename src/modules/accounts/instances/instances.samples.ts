import { INSTANCE } from '../../../../test/contract/sample-paths.js';
import { type SampleRows } from '../../../../test/contract/samples.js';

export const ROWS: SampleRows = {
  [INSTANCE]: (samples) => samples.insertInstance(),
};
