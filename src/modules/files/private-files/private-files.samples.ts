import { fileForm } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies } from '../../../../test/contract/samples.js';

export const BODIES: SampleBodies = {
  'privateFile.upload': () => ({ body: fileForm('privateFile') }),
};
