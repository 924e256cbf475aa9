import { type SampleBodies, type Body } from '../../../../test/contract/samples.js';
import { uniqueName } from '../../../../test/make/make.js';

export const BODIES: SampleBodies = {
  'userApiTokens.post': () => tokenFor('userApiTokens.post'),
  'applicationApiTokens.post': () => tokenFor('applicationApiTokens.post'),
  'instanceApiTokens.post': () => tokenFor('instanceApiTokens.post'),
};

/** A token that every token which may make one covers. */
function tokenFor(scope: string): Body {
  return { body: { name: uniqueName(), scope: [scope] } };
}
