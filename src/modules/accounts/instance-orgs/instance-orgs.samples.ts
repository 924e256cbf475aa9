import { userOfInstance, inviteAt } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies, type SampleRows } from '../../../../test/contract/samples.js';
import { filled } from '../../../../test/suites/hostile/operations.js';
import { uniqueName } from '../../../../test/make/make.js';

export const ROWS: SampleRows = {
  '/instances/{instanceId}/orgs/{orgId}/invites/{inviteId}': (samples, ids) =>
    inviteAt(samples, filled('/instances/{instanceId}/orgs/{orgId}/invites', ids)),
};

export const BODIES: SampleBodies = {
  'instanceOrgs.post': async (samples) => ({
    body: { name: uniqueName(), members: [{ userId: await userOfInstance(samples), role: 'admin' }] },
  }),
  'instanceOrgMembers.post': async (samples) => ({
    body: { userId: await userOfInstance(samples), role: 'view' },
  }),
  'instanceOrgInvites.post': () => ({ body: { email: `${uniqueName()}@example.com`, role: 'view' } }),
};
