import { ExperienceDomain } from '../../src/modules/experience/experience-domains/experience-domain.resource.js';
import { newId } from '../../src/platform/repositories/resource.js';
import { DEPLOYMENT_MAKERS } from './deployment-samples.js';
import { filled } from '../suites/hostile/operations.js';
import { makeMember, makeOrg, makeUser, unique } from '../make/make.js';
import { MODULE_MAKERS } from './module-samples.js';
import type { Samples } from './samples.js';

type Ids = Readonly<Record<string, string>>;

export const APPLICATION = '/applications/{applicationId}';
export const ORG = '/orgs/{orgId}';
export const MEMBER = '/orgs/{orgId}/member/{userId}';
export const INSTANCE = '/instances/{instanceId}';
export const SANDBOX = '/instances/{instanceId}/sandboxes/{instanceSandboxId}';

/** Rows that no POST to the collection makes, by their paths. */
export const MAKERS: Readonly<Record<string, (samples: Samples, ids: Ids) => Promise<string>>> = {
  [ORG]: (samples) => samples.insertOrg(),
  [APPLICATION]: (samples) => samples.insertApplication(),
  [INSTANCE]: (samples) => samples.insertInstance(),
  '/instance/{instanceId}': (samples) => samples.idOf(INSTANCE),
  [SANDBOX]: userOfInstance,
  [MEMBER]: async ({ test }, { orgId }) => (await makeMember(test, orgId!, 'view')).id,
  '/orgs/{orgId}/invites/{inviteId}': (samples, ids) => inviteAt(samples, filled(`${ORG}/invites`, ids)),
  '/instances/{instanceId}/orgs/{orgId}/invites/{inviteId}': (samples, ids) =>
    inviteAt(samples, filled('/instances/{instanceId}/orgs/{orgId}/invites', ids)),
  '/me/invites/{inviteId}': async (samples) => {
    const { test, user } = samples;
    const other = await makeUser(test);
    const org = await makeOrg(test, other.token);
    const body = { email: user.email, role: 'view' };
    await test.client.post(`/orgs/${org.id}/invites`, body, { token: other.token });
    const invites = await samples.send('GET', '/me/invites');
    return invites.body[0].id;
  },
  [`${APPLICATION}/devices/{deviceId}/attributes/{name}`]: async (samples, ids) => {
    const body = { name: unique('attribute'), dataType: 'number' };
    const path = filled(`${APPLICATION}/devices/{deviceId}/attributes`, ids);
    return (await samples.send('POST', path, body)).body.name;
  },
  ...DEPLOYMENT_MAKERS,
  ...MODULE_MAKERS,
  [`${APPLICATION}/file/{fileId}`]: async (samples, ids) => {
    const body = { name: unique('file'), type: 'file' };
    return (await samples.send('POST', filled(`${APPLICATION}/files`, ids), body)).body.id;
  },
  '/applicationTemplates/{templateId}': async (samples) =>
    (await samples.send('GET', '/applicationTemplates')).body.items[0].id,
  [`${APPLICATION}/jobLogs/{jobId}`]: (samples, { applicationId }) => samples.insertJob(applicationId!),
  // Only applications of organizations are given one.
  [`${APPLICATION}/experience/domains/{experienceDomainId}`]: async ({ test }, ids) => {
    const id = newId();
    const now = new Date();
    const dates = { creationDate: now, lastUpdated: now };
    const row = { id, ...dates, applicationId: ids.applicationId!, domainName: `${unique('d')}.example.com` };
    await test.dataSource.manager.insert(ExperienceDomain, row);
    return id;
  },
  '/orgs/{orgId}/audit-logs/{auditLogId}': async (samples, { orgId }) => {
    await samples.send('PATCH', `/orgs/${orgId}`, { description: unique() });
    return (await samples.send('GET', `/orgs/${orgId}/audit-logs`)).body.items[0].id;
  },
  '/instance/{instanceId}/audit-logs/{instanceAuditLogId}': async (samples, { instanceId }) => {
    await samples.send('PATCH', `/instances/${instanceId}`, { mfaMode: 'notRequired' });
    return (await samples.send('GET', `/instance/${instanceId}/audit-logs`)).body.items[0].id;
  },
};

/** The list of invitations, other than what made one, tells their ids. */
async function inviteAt(samples: Samples, path: string): Promise<string> {
  const email = `${unique()}@example.com`;
  await samples.post(path, { email, role: 'view' });
  const { body } = await samples.send('GET', path);
  return (body.items ?? body).find((invite: { email: string }) => invite.email === email).id;
}

/** A user of the instance without any membership in it. */
export async function userOfInstance(samples: Samples): Promise<string> {
  const instanceId = await samples.idOf(INSTANCE);
  return (await makeUser(samples.test, { instanceId })).id;
}
