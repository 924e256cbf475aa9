import { InstanceMember } from '../../src/modules/accounts/instance-members/instance-member.resource.js';
import { OrgMember } from '../../src/modules/accounts/orgs/org.resource.js';
import { BARE } from '../make/bundle-imports.js';
import { certificateIn } from '../make/certificates.js';
import { DEPLOYMENT_BODIES } from './deployment-samples.js';
import { filled } from '../suites/hostile/operations.js';
import { makeMember, makeUser, PASSWORD, unique, type TestUser } from '../make/make.js';
import { MODULE_BODIES } from './module-samples.js';
import { APPLICATION, MEMBER, ORG, SANDBOX, userOfInstance } from './sample-rows.js';
import type { Samples } from './samples.js';
import { codeOf } from '../make/sign-in.js';
import { zipOf } from '../make/zip-files.js';

/** What a request says beside the ids in its path. */
export interface Body {
  body?: unknown;
  query?: string;
}

const FLOW = `${APPLICATION}/flows/{flowId}`;
const DATA_TABLE = `${APPLICATION}/data-tables/{dataTableId}`;

/** Bodies of operations if neither the document's example nor the minimal body fits the rows. */
export const BODIES: Readonly<Record<string, (samples: Samples, caller: TestUser) => Promise<Body> | Body>> =
  {
    'instanceOrgs.post': async (samples) => ({
      body: { name: unique(), members: [{ userId: await userOfInstance(samples), role: 'admin' }] },
    }),
    'instanceMembers.post': async (samples) => ({
      body: { userId: await userOfInstance(samples), role: 'view' },
    }),
    'instanceOrgMembers.post': async (samples) => ({
      body: { userId: await userOfInstance(samples), role: 'view' },
    }),
    'instanceOrgInvites.post': () => ({ body: { email: `${unique()}@example.com`, role: 'view' } }),
    'org.inviteMember': () => ({ body: { email: `${unique()}@example.com`, role: 'view' } }),
    'org.modifyMember': async (samples) => ({ body: { userId: await samples.idOf(MEMBER), role: 'edit' } }),
    'org.removeMember': async (samples) => ({ query: `userId=${await samples.idOf(MEMBER)}` }),
    'org.revokeInvite': async (samples) => ({
      query: `inviteId=${await samples.idOf('/orgs/{orgId}/invites/{inviteId}')}`,
    }),
    // The caller's own rows, untouched by others, so only roles decide.
    'org.transferResources': async (samples, caller) => toOrganization(await samples.of(caller).idOf(ORG)),
    'me.transferResources': async (samples) => toOrganization(await samples.of(samples.user).idOf(ORG)),
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
    'application.archiveData': async (samples) => {
      await archiving(samples);
      return { query: `date=${Date.now() - 40 * 86_400_000}` };
    },
    'application.backfillArchiveData': archiving,
    'application.fullEventsArchive': archiving,
    'application.fullDataTablesArchive': archiving,
    'applications.import': async () => ({ body: await bundleForm() }),
    'application.applyTemplate': async (samples) => ({
      body: { templateId: await samples.idOf('/applicationTemplates/{templateId}') },
    }),
    'application.import': async () => ({ body: await bundleForm() }),
    'file.upload': () => ({ body: fileForm('file') }),
    'privateFile.upload': () => ({ body: fileForm('privateFile') }),
    'device.export': () => ({ body: { email: `${unique()}@example.com` } }),
    'devices.export': () => ({ body: { email: `${unique()}@example.com` } }),
    'data.export': () => ({ body: { email: `${unique()}@example.com`, deviceIds: [] } }),
    // Each finds a device of its own, so that it changes something however often it is asked for.
    'devices.patch': async (samples) => ({
      body: { deviceIds: [(await newDevice(samples)).id], updateFields: { keepDuplicates: true } },
    }),
    'devices.delete': async (samples) => {
      const { name } = await newDevice(samples);
      return { body: { query: { name } } };
    },
    'devices.restore': async (samples) => {
      const { path, name } = await newDevice(samples);
      await samples.send('DELETE', path);
      return { body: { query: { name } } };
    },
    ...DEPLOYMENT_BODIES,
    ...MODULE_BODIES,
    'events.export': () => ({ body: { email: `${unique()}@example.com` } }),
    'events.patch': async (samples) => ({
      body: { state: 'resolved' },
      query: `filter=${await newEvent(samples)}`,
    }),
    'events.delete': async (samples) => ({ body: { subject: await newEvent(samples) } }),
    'flowVersions.post': () => ({ body: { version: unique() } }),
    'experienceVersions.post': () => ({ body: { version: unique() } }),
    // A row of its own, so that it deletes something however often it is asked for.
    'dataTableRows.delete': async (samples) => {
      const serial = unique('serial');
      const rows = filled(`${DATA_TABLE}/rows`, await samples.idsOf(DATA_TABLE));
      await samples.post(rows, { serial });
      return { body: { serial } };
    },
    'dataTableRows.export': () => ({ body: { email: `${unique()}@example.com` } }),
    'dataTable.addColumn': () => ({
      body: { name: unique('column'), dataType: 'number', constraint: 'optional' },
    }),
    'dataTable.removeColumn': async (samples) => {
      const name = unique('column');
      const path = filled(`${DATA_TABLE}/column`, await samples.idsOf(DATA_TABLE));
      await samples.send('POST', path, { name, dataType: 'number', constraint: 'optional' });
      return { query: `columnName=${name}` };
    },
    'experienceViews.post': () => ({
      body: { viewType: 'page', name: unique('view'), body: '<h1>{{pageData.title}}</h1>' },
    }),
    'experienceEndpoints.post': () => ({ body: { method: 'get', route: `/${unique()}` } }),
    // Each its own, since one can be registered once.
    'applicationCertificates.post': async (samples) => {
      const applicationId = await samples.idOf(APPLICATION);
      return { body: { certificate: await certificateIn(samples.test, samples.user.token, applicationId) } };
    },
    'experienceUsers.post': () => ({ body: { email: `${unique()}@example.com`, password: PASSWORD } }),
    'experienceDomains.post': () => ({ body: { domainName: `${unique('d')}.example.com` } }),
    'experienceSlugs.post': () => ({ body: { slug: unique('slug') } }),
    'deviceAttributes.post': () => ({ body: { name: unique('attribute'), dataType: 'number' } }),
    'flow.pressVirtualButton': async (samples) => {
      const key = 'go';
      const path = filled(FLOW, await samples.idsOf(FLOW));
      await samples.send('PATCH', path, { triggers: [{ type: 'virtualButton', key }] });
      return { body: { key, payload: { temp: 99 } } };
    },
    'userApiTokens.post': () => tokenFor('userApiTokens.post'),
    'applicationApiTokens.post': () => tokenFor('applicationApiTokens.post'),
    'instanceApiTokens.post': () => tokenFor('instanceApiTokens.post'),
    'instanceSandbox.undelete': async (samples) => {
      await samples.send('DELETE', filled(SANDBOX, await samples.idsOf(SANDBOX)));
      return {};
    },
  };

/** Body that a refused caller sends if the refusal depends on a body other than JSON. */
export const ATTEMPTS: Readonly<Record<string, () => Body>> = {
  'applications.import': () => ({ body: linkForm() }),
};

async function newDevice(samples: Samples): Promise<{ id: string; name: string; path: string }> {
  const devices = filled(`${APPLICATION}/devices`, await samples.idsOf(APPLICATION));
  const { id, name } = await samples.post(devices, { name: unique('device') });
  return { id, name, path: `${devices}/${id}` };
}

async function newEvent(samples: Samples): Promise<string> {
  const events = filled(`${APPLICATION}/events`, await samples.idsOf(APPLICATION));
  const { subject } = await samples.post(events, { level: 'info', subject: unique('event') });
  return subject;
}

/** Has their application archive to a store that nobody can reach, with its data kept for long enough. */
async function archiving(samples: Samples): Promise<Body> {
  const { dataSource } = samples.test;
  const id = await samples.idOf(APPLICATION);
  const config = { s3: { bucket: 'pump-archive' } };
  await dataSource.query('UPDATE applications SET archive_config = $2 WHERE id = $1', [id, config]);
  for (const table of ['orgs', 'users'])
    await dataSource.query(
      `UPDATE ${table} SET limits = coalesce(limits, '{}') || '{"dataTTL":5184000}'
        WHERE id = (SELECT owner_id FROM applications WHERE id = $1)`,
      [id],
    );
  return {};
}

/** The form of an import, with the least that a bundle has. */
async function bundleForm(): Promise<FormData> {
  const form = new FormData();
  form.append('importBundle', new Blob([new Uint8Array(await zipOf(BARE))]), 'bundle.zip');
  return form;
}

/** Form of an import with the location of a bundle. */
function linkForm(): FormData {
  const form = new FormData();
  form.append('options', JSON.stringify({ importUrl: 'https://example.com/bundle.zip' }));
  return form;
}

/** A form with a file, named as an operation asks for it. */
function fileForm(name: string): FormData {
  const form = new FormData();
  form.append(name, new Blob(['content'], { type: 'text/plain' }), 'content.txt');
  return form;
}

/** A token that every token which may make one covers. */
function tokenFor(scope: string): Body {
  return { body: { name: unique(), scope: [scope] } };
}

function toOrganization(id: string): Body {
  return { body: { destinationId: id, destinationType: 'organization' } };
}
