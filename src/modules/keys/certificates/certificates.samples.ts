import { APPLICATION } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies } from '../../../../test/contract/samples.js';
import { certificateIn } from '../../../../test/make/certificates.js';

export const BODIES: SampleBodies = {
  // Each its own, since one can be registered once.
  'applicationCertificates.post': async (samples) => {
    const applicationId = await samples.idOf(APPLICATION);
    return {
      body: { certificate: await certificateIn(samples.platform, samples.user.token, applicationId) },
    };
  },
};
