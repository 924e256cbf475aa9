import { APPLICATION } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies } from '../../../../test/contract/samples.js';
import { InstanceMember } from '../instance-members/instance-member.resource.js';
import { OrgMember } from '../orgs/org.resource.js';
import { makeMember, makeUser, PASSWORD } from '../../../../test/make/make.js';
import { codeOf } from '../../../../test/make/sign-in.js';

export const BODIES: SampleBodies = {
  'me.addRecentItem': async (samples) => ({
    body: { itemId: await samples.of(samples.user).idOf(APPLICATION), itemType: 'application' },
  }),
  'me.changePassword': () => ({ body: { password: PASSWORD, newPassword: 'Other-Staple-8' } }),
  'me.delete': async ({ test }, { id: userId, email }) => {
    // The last admin of an organization or instance cannot go.
    const { manager } = test.dataSource;
    for (const { orgId } of await manager.findBy(OrgMember, { userId, role: 'admin' }))
      await makeMember(test, orgId, 'admin');
    for (const { instanceId } of await manager.findBy(InstanceMember, { userId, role: 'admin' }))
      await manager.insert(InstanceMember, {
        instanceId,
        userId: (await makeUser(test)).id,
        role: 'admin',
      });
    return { body: { email, password: PASSWORD } };
  },
  'me.enableTwoFactorAuth': async (samples) => {
    const { body } = await samples.send('PATCH', '/me/generateTwoFactorAuth');
    return { body: { password: PASSWORD, twoFactorAuthKey: body.key, twoFactorCode: codeOf(body.key) } };
  },
  'me.disableTwoFactorAuth': async (samples) => {
    const { body: key } = await samples.send('PATCH', '/me/generateTwoFactorAuth');
    const enable = { password: PASSWORD, twoFactorAuthKey: key.key, twoFactorCode: codeOf(key.key) };
    await samples.send('PATCH', '/me/enableTwoFactorAuth', enable);
    return { body: { password: PASSWORD, twoFactorCode: codeOf(key.key, 1) } };
  },
};
