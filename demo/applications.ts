import { setTimeout as sleep } from 'node:timers/promises';
import { issueAuthority, issueForDevice } from '../test/make/certificates.js';
import type { Client, Item } from './client.js';
import { Resources, type Action, type Wanted } from './resources.js';

/** An application of the demo, as text of `demo/applications`. */
export interface ApplicationData {
  name: string;
  description: string;
  /** Names of templates: the first creates the application and the others are applied to it. */
  templates: string[];
  resources: Wanted[];
  files: FileData[];
  /** An authority, and a certificate of it for devices with these tags. */
  certificates?: { authority: string; deviceTags: Item[] };
  /** Version to save of each workflow. */
  versions: Record<string, string>;
  /** What happens once all devices have a history: workflows are enabled then, so that it triggers no runs. */
  actions: Action[];
}

interface FileData {
  collection: 'files' | 'privateFiles';
  directory: string;
  name: string;
  contentType: string;
  content: string;
}

const YEAR_MS = 365 * 86_400_000;
const POLL_MS = 500;
/** Longest wait for a job. */
const JOB_MS = 180_000;
/** What the body of a new version takes from the workflow. */
const VERSIONED = ['triggers', 'nodes', 'globals', 'customNodeConfig', 'minimumAgentVersion'];

/** Returns the application of the organization with the name of the data, created from its templates if necessary. */
export async function ensureApplication(
  client: Client,
  orgId: string,
  { name, description, templates }: ApplicationData,
): Promise<Resources> {
  const available = await client.list('/applicationTemplates');
  const [first, ...others] = templates.map((wanted) => {
    const template = available.find((one) => one.name === wanted);
    if (!template) throw new Error(`The platform has no template "${wanted}": is TEMPLATES_DIR set?`);
    return template.id as string;
  });
  const applications = await client.list(`/applications?orgId=${orgId}`);
  const application =
    applications.find((one) => one.name === name) ??
    (await client.post('/applications', { name, description, orgId, applicationTemplateId: first }));
  const base = `/applications/${application.id as string}`;
  for (const templateId of others) {
    if ((application.appliedTemplateIds as string[]).includes(templateId)) continue;
    const { jobId } = await client.patch(`${base}/applyTemplate`, { templateId });
    if (jobId !== undefined) await jobEnd(client, base, jobId as string);
  }
  return new Resources(client, base);
}

async function jobEnd(client: Client, base: string, jobId: string): Promise<void> {
  for (const end = Date.now() + JOB_MS; Date.now() < end; await sleep(POLL_MS)) {
    const { status, error } = await client.get(`${base}/jobLogs/${jobId}`);
    if (status === 'completed') return;
    if (status === 'errored' || status === 'failed')
      throw new Error(`A job failed: ${JSON.stringify(error)}`);
  }
  throw new Error(
    'A template was not applied in time: repeat once the workers of the platform are less busy.',
  );
}

/** Creates the resources of the application that are missing, and returns their number. */
export async function createResources(resources: Resources, data: ApplicationData): Promise<number> {
  let created = 0;
  for (const wanted of data.resources) created += await resources.create(wanted);
  for (const file of data.files) created += await createFile(resources, file);
  if (data.certificates) created += await createCertificates(resources, data.certificates);
  for (const [flow, version] of Object.entries(data.versions))
    created += await createVersion(resources, flow, version);
  return created;
}

async function createFile(resources: Resources, file: FileData): Promise<number> {
  const { collection, directory, name, contentType, content } = file;
  const { client, base } = resources;
  const query = new URLSearchParams({ directory, filter: name });
  const [existing] = await client.list(`${base}/${collection}?${query.toString()}`);
  if (existing?.status === 'completed') return 0;
  const body = { contentType, fileSize: Buffer.byteLength(content) };
  // A file without content is left if an earlier run was interrupted.
  const { upload } = (await (existing
    ? client.patch(`${base}/${collection === 'files' ? 'file' : collection}/${existing.id as string}`, body)
    : client.post(`${base}/${collection}`, { name, type: 'file', parentDirectory: directory, ...body }))) as {
    upload?: { url: string; fields: Record<string, string> };
  };
  if (!upload) throw new Error(`${directory}/${name} cannot be uploaded.`);
  const form = new FormData();
  for (const [field, value] of Object.entries(upload.fields)) form.append(field, value);
  form.append('file', new Blob([content]), name);
  const response = await fetch(upload.url, { method: 'POST', body: form });
  if (!response.ok) throw new Error(`${name} was not accepted: ${response.status} ${await response.text()}`);
  return 1;
}

/** Private keys are not kept, so the authority and its certificate are created together. */
async function createCertificates(
  { client, base }: Resources,
  { authority, deviceTags }: NonNullable<ApplicationData['certificates']>,
): Promise<number> {
  if ((await client.list(`${base}/certificates`)).length > 0) return 0;
  const notAfter = new Date(Date.now() + YEAR_MS);
  const issuer = await issueAuthority({ subject: `CN=${authority}`, notAfter });
  const device = await issueForDevice(issuer, { subject: `CN=${authority}`, notAfter });
  await client.post(`${base}/certificate-authorities`, { name: authority, caBundle: issuer.pem });
  await client.post(`${base}/certificates`, { certificate: device.pem, deviceTags });
  return 2;
}

/** Saves the workflow as a version, and lets cloud workflows run in it. */
async function createVersion(resources: Resources, name: string, version: string): Promise<number> {
  const { id } = await resources.find('flows', name);
  const path = `flows/${id as string}`;
  const flow = await resources.client.get(`${resources.base}/${path}`);
  const body = Object.fromEntries(VERSIONED.flatMap((key) => (key in flow ? [[key, flow[key]]] : [])));
  const created = await resources.create({ path: `${path}/versions`, items: [{ version, ...body }] });
  if (flow.flowClass === 'cloud' && !flow.defaultVersionId) {
    const saved = await resources.find(`${path}/versions`, version);
    await resources.change(path, { defaultVersionId: saved.id });
  }
  return created;
}

/** Requests that become jobs, by the operation that the job log shows. The last one ends with an error. */
const JOBS: Record<string, { path: string; body: () => unknown }> = {
  'application.export': { path: 'export', body: () => ({ forceJob: true, includeDevices: true }) },
  'devices.export': { path: 'devices/export', body: () => ({ format: 'json' }) },
  'events.export': { path: 'events/export', body: () => ({}) },
  'data.export': {
    path: 'data/export',
    body: () => ({ start: -7 * 86_400_000, deviceTags: [{ key: 'kind' }] }),
  },
  'application.import': { path: 'import', body: brokenBundle },
};

function brokenBundle(): FormData {
  const form = new FormData();
  form.append('options', JSON.stringify({ forceJob: true }));
  form.append('importBundle', new Blob(['This is no zip file.']), 'bundle.zip');
  return form;
}

/** Performs the actions of the first run, and requests jobs of each kind that the job log does not have. */
export async function performActions(resources: Resources, { actions }: ApplicationData): Promise<void> {
  for (const action of actions) await resources.perform(action);
  const { client, base } = resources;
  const logged = new Set((await client.list(`${base}/jobLogs`)).map(({ name }) => name));
  for (const [name, { path, body }] of Object.entries(JOBS))
    if (!logged.has(name)) await client.post(`${base}/${path}`, body());
}
