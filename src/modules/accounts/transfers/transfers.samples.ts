import { ORG } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies, type Body } from '../../../../test/contract/samples.js';

export const BODIES: SampleBodies = {
  // Fresh rows of the caller, so that only their roles decide.
  'org.transferResources': async (samples, caller) => toOrganization(await samples.of(caller).idOf(ORG)),
  'me.transferResources': async (samples) => toOrganization(await samples.of(samples.user).idOf(ORG)),
};

function toOrganization(id: string): Body {
  return { body: { destinationId: id, destinationType: 'organization' } };
}
