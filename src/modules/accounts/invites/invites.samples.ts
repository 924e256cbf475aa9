import { ORG, inviteAt } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies, type SampleRows } from '../../../../test/contract/samples.js';
import { filled } from '../../../../test/suites/hostile/operations.js';
import { makeUser, uniqueName, makeOrg } from '../../../../test/make/make.js';

export const ROWS: SampleRows = {
  '/orgs/{orgId}/invites/{inviteId}': (samples, ids) => inviteAt(samples, filled(`${ORG}/invites`, ids)),
  '/me/invites/{inviteId}': async (samples) => {
    const { test, user } = samples;
    const other = await makeUser(test);
    const org = await makeOrg(test, other.token);
    const body = { email: user.email, role: 'view' };
    await test.client.post(`/orgs/${org.id}/invites`, body, { token: other.token });
    const invites = await samples.send('GET', '/me/invites');
    return invites.body[0].id;
  },
};

export const BODIES: SampleBodies = {
  'org.inviteMember': () => ({ body: { email: `${uniqueName()}@example.com`, role: 'view' } }),
  'org.revokeInvite': async (samples) => ({
    query: `inviteId=${await samples.idOf('/orgs/{orgId}/invites/{inviteId}')}`,
  }),
};
