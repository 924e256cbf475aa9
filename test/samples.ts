import { Application } from '../src/modules/applications/application.resource.js';
import { ExperienceDomain } from '../src/modules/experience-domains/experience-domain.resource.js';
import { Instance } from '../src/modules/instances/instance.resource.js';
import { InstanceMember } from '../src/modules/instance-members/instance-member.resource.js';
import { Org, OrgMember } from '../src/modules/orgs/org.resource.js';
import { AccessCache } from '../src/platform/access/access-cache.js';
import { Job } from '../src/platform/jobs/job.entity.js';
import { newId } from '../src/platform/resource.js';
import type { TestApp } from './app.js';
import { BARE } from './bundle-imports.js';
import { certificateIn } from './certificates.js';
import { DEPLOYMENT_BODIES, DEPLOYMENT_MAKERS } from './deployment-samples.js';
import { filled, idsIn, requiredQuery, targetsOf, type Target } from './hostile/operations.js';
import { Schemas } from './hostile/schemas.js';
import { homeInstance, makeMember, makeOrg, makeUser, PASSWORD, unique, type TestUser } from './make.js';
import { codeOf } from './sign-in.js';
import { MODULE_BODIES, MODULE_MAKERS } from './module-samples.js';
import { zipOf } from './zip-files.js';

type Ids = Readonly<Record<string, string>>;
interface Body {
  body?: unknown;
  query?: string;
}

/** A request that works, to send with the token of whom it was made for. */
export interface SampleRequest {
  path: string;
  body?: unknown;
}

const APPLICATION = '/applications/{applicationId}';
const FLOW = '/applications/{applicationId}/flows/{flowId}';
const DATA_TABLE = '/applications/{applicationId}/data-tables/{dataTableId}';
const ORG = '/orgs/{orgId}';
const MEMBER = '/orgs/{orgId}/member/{userId}';
const INSTANCE = '/instances/{instanceId}';
const SANDBOX = '/instances/{instanceId}/sandboxes/{instanceSandboxId}';

/** Rows that no POST to the collection makes, by their paths. */
const MAKERS: Readonly<Record<string, (samples: Samples, ids: Ids) => Promise<string>>> = {
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

/** What operations are called with where the example in the document, or the least body, does not fit the rows. */
const BODIES: Readonly<Record<string, (samples: Samples, caller: TestUser) => Promise<Body> | Body>> = {
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
  // Rows of the caller's own that nothing else has touched: what they may do there is for their roles to say.
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
      await manager.insert(InstanceMember, { instanceId, userId: (await makeUser(test)).id, role: 'admin' });
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

/** What somebody who is refused sends where that hangs on a body which is no JSON. */
const ATTEMPTS: Readonly<Record<string, () => Body>> = {
  'applications.import': () => ({ body: linkForm() }),
};

/**
 * Requests that work, for each operation of the document: rows that the ids in its path can name and a body that fits
 * them. Rows are made when they are first needed, through the API itself: the row of `/a/{x}/b/{y}` is what
 * `POST /a/{x}/b` answers, so a family whose collection has a POST needs nothing here.
 */
export class Samples {
  private readonly made = new Map<string, Promise<string>>();

  constructor(
    readonly test: TestApp,
    /** Whose rows they are: with the token of a session that may do everything. */
    readonly user: TestUser,
    /** Where their application is: in an organization of theirs, or in their sandbox. */
    private readonly applicationsIn: 'organization' | 'sandbox' = 'sandbox',
    private readonly schemas = new Schemas(test.document),
    private readonly targets = targetsOf(test.document),
  ) {}

  /** The same for another user. */
  of(user: TestUser, applicationsIn?: 'organization' | 'sandbox'): Samples {
    return new Samples(this.test, user, applicationsIn, this.schemas, this.targets);
  }

  /** The ids for a path of the document, by their names there. */
  async idsOf(path: string): Promise<Record<string, string>> {
    const ids: Record<string, string> = {};
    for (const prefix of prefixesOf(path)) ids[idsIn(prefix).at(-1)!] = await this.idOf(prefix);
    return ids;
  }

  /** The id of the row that a path ends with. */
  idOf(path: string): Promise<string> {
    let id = this.made.get(path);
    if (!id) this.made.set(path, (id = this.make(path)));
    return id;
  }

  /** A good request of an operation; `caller` is who will send it. */
  async requestFor(target: Target, caller = this.user): Promise<SampleRequest> {
    const path = filled(target.path, await this.idsOf(target.path));
    const { body, query = requiredQuery(target.query, this.schemas) } =
      (await BODIES[target.id]?.(this, caller)) ?? this.bodyOf(target);
    return { path: query ? `${path}?${query}` : path, body };
  }

  /** A request whose body and query are right by themselves; it is for a caller who is refused, and makes no row. */
  async attemptOf(target: Target): Promise<SampleRequest> {
    const path = filled(target.path, await this.idsOf(target.path));
    const query = requiredQuery(target.query, this.schemas);
    const body = ATTEMPTS[target.id]?.() ?? this.bodyOf(target);
    return { path: query ? `${path}?${query}` : path, ...body };
  }

  /** Sends a request as the user whose rows these are. */
  async send(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
    const answer = await this.test.client.request(method, path, { body, token: this.user.token });
    if (answer.status >= 300)
      throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  async post(path: string, body: unknown): Promise<any> {
    return (await this.send('POST', path, body)).body;
  }

  // The rows that nearly everything stands on are inserted, which takes a fraction of the time.

  /** An organization of which the user is admin from their next request on. */
  async insertOrg(): Promise<string> {
    const { user, test } = this;
    const { manager } = test.dataSource;
    const row = { ...dated(), instanceId: await homeInstance(test), isReadOnly: false };
    await manager.insert(Org, row);
    const { id: orgId, creationDate } = row;
    await manager.insert(OrgMember, { orgId, userId: user.id, role: 'admin', creationDate });
    await test.app.get(AccessCache).drop(user.id);
    return orgId;
  }

  async insertApplication(): Promise<string> {
    const inOrganization = this.applicationsIn === 'organization';
    const owner = inOrganization
      ? { ownerId: await this.idOf(ORG), ownerType: 'organization' as const }
      : { ownerId: this.user.id, ownerType: 'user' as const };
    const row = { ...dated(), ...owner };
    await this.test.dataSource.manager.insert(Application, row);
    return row.id;
  }

  /** A job that no worker takes; its id in the log. */
  async insertJob(applicationId: string): Promise<string> {
    const logId = newId();
    const now = new Date();
    const times = { creationDate: now, lastUpdated: now, dueAt: now, startedAt: now, completedAt: now };
    await this.test.dataSource.manager.insert(Job, {
      ...times,
      id: unique('job'),
      name: 'data.export',
      payload: {},
      status: 'failed',
      applicationId,
      logId,
      operation: 'data.export',
      resourceType: 'device',
    });
    return logId;
  }

  /** An instance that nobody else is in, and of which the user is administrator from their next request on. */
  async insertInstance(): Promise<string> {
    const { user, test } = this;
    const row = { ...dated(), allowAuditLogging: true };
    await test.dataSource.manager.insert(Instance, row);
    await test.dataSource.manager.insert(InstanceMember, {
      instanceId: row.id,
      userId: user.id,
      role: 'admin',
    });
    await test.app.get(AccessCache).drop(user.id);
    return row.id;
  }

  private bodyOf({ body, example }: Target): Body {
    return body ? { body: example ?? this.schemas.sample(body) } : {};
  }

  private async make(path: string): Promise<string> {
    const own = path.slice(0, path.lastIndexOf('/'));
    const ids = await this.idsOf(own);
    const maker = MAKERS[path];
    if (maker) return maker(this, ids);
    const post = this.targets.find((target) => target.method === 'POST' && target.path === own);
    if (!post?.body) throw new Error(`${path} has no POST ${own} that makes one: give it a maker`);
    const { path: collection, body } = await this.requestFor(post);
    const made = await this.post(collection, body);
    return made[idsIn(path).at(-1)!] ?? made.id;
  }
}

/** `/a/{x}/b/{y}/c` has `/a/{x}` and `/a/{x}/b/{y}`. */
function prefixesOf(path: string): string[] {
  return [...path.matchAll(/\}/g)].map(({ index }) => path.slice(0, index + 1));
}

/** The list of invitations, other than what made one, tells their ids. */
async function inviteAt(samples: Samples, path: string): Promise<string> {
  const email = `${unique()}@example.com`;
  await samples.post(path, { email, role: 'view' });
  const { body } = await samples.send('GET', path);
  return (body.items ?? body).find((invite: { email: string }) => invite.email === email).id;
}

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

/** The form of an import, with where a bundle is. */
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

async function userOfInstance(samples: Samples): Promise<string> {
  const instanceId = await samples.idOf(INSTANCE);
  return (await makeUser(samples.test, { instanceId })).id;
}

function dated() {
  const now = new Date();
  return { id: newId(), name: unique(), creationDate: now, lastUpdated: now };
}
