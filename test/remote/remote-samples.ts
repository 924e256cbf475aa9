import { APPLICATION, INSTANCE, MEMBER, ORG, SANDBOX } from '../contract/sample-paths.js';
import type { SampleOverrides, Samples } from '../contract/samples.js';
import { makeApplication, makeOrg, uniqueName, type TestUser } from '../make/make.js';
import { waitUntil } from '../setup/until.js';
import { filled } from '../suites/hostile/operations.js';
import type { DeployedPlatform } from './deployed-platform.js';

const DEVICE = `${APPLICATION}/devices/{deviceId}`;
const FLOW = `${APPLICATION}/flows/{flowId}`;
const DOMAIN = `${APPLICATION}/experience/domains/{experienceDomainId}`;
const JOB = `${APPLICATION}/jobLogs/{jobId}`;

/** The first message of an agent without a bundle. */
const HELLO = { service: 'embeddedWorkflowAgent', version: '1.0.0', bundle: 'nullVersion' };

/** Rows and bodies through the API alone, and without effects on others who use the platform. */
export function remoteSamples(platform: DeployedPlatform): SampleOverrides {
  const otherUser = async () => (await platform.anotherUser()).id;

  /** Adds the other user to an organization. */
  async function join(samples: Samples, orgId: string): Promise<string> {
    const other = await platform.anotherUser();
    const inviteId = await invite(samples.user, orgId, other);
    await platform.client.post(`/me/invites/${inviteId}`, { action: 'accept' }, { token: other.token });
    return other.id;
  }

  /** Invites a user to an organization and returns the ID of the invitation. */
  async function invite(admin: TestUser, orgId: string, { email, token }: TestUser): Promise<string> {
    const { client } = platform;
    const { body: org } = await client.get(`/orgs/${orgId}`, { token: admin.token });
    await client.post(`/orgs/${orgId}/invites`, { email, role: 'view' }, { token: admin.token });
    const { body: invites } = await client.get('/me/invites', { token });
    return invites.find(({ orgName }: { orgName: string }) => orgName === org.name).id;
  }

  /** Releases a workflow to the embedded device of the samples, and returns the bundle that it should run. */
  async function release(samples: Samples): Promise<string> {
    const ids = await samples.idsOf(DEVICE);
    const application = filled(APPLICATION, ids);
    const flow = { name: uniqueName(), flowClass: 'embedded', minimumAgentVersion: '1.0.0' };
    const { id: flowId } = await samples.post(`${application}/flows`, flow);
    const deployments = `${application}/embedded/deployments`;
    await samples.post(`${deployments}/release`, { flowId, version: 'develop', deviceIds: [ids.deviceId] });
    let version: unknown;
    await waitUntil(async () => {
      const { body } = await samples.send('GET', `${deployments}?deviceId=${ids.deviceId}`);
      version = body.items[0]?.desiredBundleVersion;
      return typeof version === 'string' && version !== 'nullVersion';
    });
    return String(version);
  }

  return {
    rows: {
      [ORG]: async (samples) => (await makeOrg(platform, samples.user.token)).id,
      [APPLICATION]: async (samples) => {
        const orgId = await samples.idOf(ORG);
        return (await makeApplication(platform, samples.user.token, { orgId })).id;
      },
      [MEMBER]: (samples, { orgId }) => join(samples, orgId!),
      [INSTANCE]: async () => (await platform.administrator()).instanceId,
      [SANDBOX]: otherUser,
      [DOMAIN]: async (samples, ids) => {
        const body = { domainName: `${uniqueName('d')}.example.com` };
        const path = filled(`${APPLICATION}/experience/domains`, ids);
        return (await samples.post(path, body)).id;
      },
      [JOB]: async (samples, ids) => {
        const application = filled(APPLICATION, ids);
        const body = { email: samples.user.email, deviceIds: [] };
        await samples.post(`${application}/data/export`, body);
        const items = async () => (await samples.send('GET', `${application}/jobLogs`)).body.items;
        await waitUntil(async () => (await items()).length > 0);
        return (await items())[0].id;
      },
      [`${FLOW}/runs/{flowRunId}`]: async (samples, ids) => {
        const path = filled(FLOW, ids);
        const triggers = [{ type: 'virtualButton', key: 'go' }];
        await samples.send('PATCH', path, { triggers });
        await samples.post(`${path}/virtualButton`, { key: 'go' });
        const traced = async () =>
          (await samples.send('GET', `${path}/runs`)).body.items.find(
            ({ hasTrace }: { hasTrace: boolean }) => hasTrace,
          );
        await waitUntil(async () => (await traced()) !== undefined);
        return (await traced()).flowRunId;
      },
      '/me/invites/{inviteId}': async ({ user }) => {
        const other = await platform.anotherUser();
        const org = await makeOrg(platform, other.token);
        return invite(other, org.id, user);
      },
      [DEVICE]: async (samples, ids) => {
        const body = { name: uniqueName('device'), deviceClass: 'embedded' };
        return (await samples.post(filled(`${APPLICATION}/devices`, ids), body)).id;
      },
      [`${DEVICE}/embedded/bundles/{bundleVersion}`]: async (samples, ids) => {
        const version = await release(samples);
        await samples.post(filled(`${DEVICE}/embedded/hello`, ids), HELLO);
        return version;
      },
      '/instance/{instanceId}/audit-logs/{instanceAuditLogId}': async (samples, { instanceId }) => {
        await samples.idOf('/instances/{instanceId}/orgs/{orgId}');
        return (await samples.send('GET', `/instance/${instanceId}/audit-logs`)).body.items[0].id;
      },
    },
    bodies: {
      'instance.patch': async (samples) => {
        const { body } = await samples.send('GET', `/instances/${await samples.idOf(INSTANCE)}`);
        return { body: { mfaMode: body.mfaMode } };
      },
      'instanceOrgs.post': async () => ({
        body: { name: uniqueName('org'), members: [{ userId: (await platform.user()).id, role: 'admin' }] },
      }),
      'instanceOrgMembers.post': async () => ({ body: { userId: await otherUser(), role: 'view' } }),
      'instanceMembers.post': async (samples) => {
        const members = filled('/instances/{instanceId}/members', await samples.idsOf(INSTANCE));
        const userId = await otherUser();
        await platform.client.delete(`${members}/${userId}`, { token: samples.user.token });
        return { body: { userId, role: 'view' } };
      },
      'embeddedDeployments.hello': async (samples) => {
        await release(samples);
        return { body: HELLO };
      },
      'embeddedDeployments.export': async (samples) => {
        await release(samples);
        return { body: { email: samples.user.email } };
      },
      'org.modifyMember': async (samples) => ({
        body: { userId: await samples.idOf(MEMBER), role: 'edit' },
      }),
    },
  };
}
