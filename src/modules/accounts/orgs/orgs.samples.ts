import { ORG, MEMBER } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies, type SampleRows } from '../../../../test/contract/samples.js';
import { makeMember } from '../../../../test/make/make.js';

export const ROWS: SampleRows = {
  [ORG]: (samples) => samples.insertOrg(),
  [MEMBER]: async ({ test }, { orgId }) => (await makeMember(test, orgId!, 'view')).id,
};

export const BODIES: SampleBodies = {
  'org.modifyMember': async (samples) => ({ body: { userId: await samples.idOf(MEMBER), role: 'edit' } }),
  'org.removeMember': async (samples) => ({ query: `userId=${await samples.idOf(MEMBER)}` }),
};
