import { jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { compilePlatform, type CompiledPlatform } from '../setup/compiled.js';
import { freePort } from '../setup/free-port.js';
import { freshDatabase, type FreshDatabase } from '../setup/fresh-database.js';
import { PlatformProcess, SECRETS_KEY } from '../setup/platform-process.js';
import { waitUntil } from '../setup/until.js';

jest.setTimeout(600_000);

const ADMIN = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'Battery-Staple-9' };
const JOBS_END_MS = 120_000;
const FILLED_MS = 180_000;

describe('npm run demo', () => {
  let compiled: CompiledPlatform;
  let database: FreshDatabase;
  let folder: string;
  let platform: PlatformProcess;
  let url: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    compiled = await compilePlatform();
    database = await freshDatabase({ migrated: true });
    folder = await mkdtemp(join(tmpdir(), 'fieldwright-demo-'));
    env = { DATABASE_URL: database.url, DATA_DIR: folder, SECRETS_KEY };
    // A port of its own, so that links of the platform lead to it.
    const PORT = await freePort();
    const servers = { REDIS_URL: process.env.TEST_REDIS_URL!, TEMPLATES_DIR: resolve('templates') };
    platform = new PlatformProcess(compiled.program('src/main'), { ...env, ...servers, ...ADMIN, PORT });
    url = await platform.url();
  });

  afterAll(async () => {
    await platform.stop();
    await compiled.remove();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  it('fills a platform, and a second run changes nothing', async () => {
    const first = await demo({ ...env, PUBLIC_URL: url });
    expect(first).toMatchObject({ code: 0, err: '' });
    const password = /^ {2}Password of all: (\S+)$/m.exec(first.out)![1]!;
    const get = await reader('ada.north@example.com', password);
    const [org] = (await get('/orgs')).items;
    const applications = (await get(`/applications?orgId=${org.id}`)).items;
    await waitUntil(async () => (await openJobs(get, applications)) === 0, JOBS_END_MS);

    expect(org.summary).toMatchObject({ memberCount: 5, pendingInviteCount: 1 });
    const missing = Object.entries(LEAST).filter(([count, least]) => !(org.summary[count] >= least));
    expect(missing).toEqual([]);
    await expectVariety(get, applications);
    await expectReports(get, applications);

    const before = await contents(get, org.id);
    const second = await demo({ ...env, PUBLIC_URL: url });
    expect(second).toMatchObject({ code: 0, err: '' });
    expect(second.out).toContain(`Password of all: ${password}`);
    expect(second.out.match(/: 0 new resources/g)).toHaveLength(3);
    expect(await contents(get, org.id)).toEqual(before);
  });

  it('gives each person the role that it prints', async () => {
    const { out } = await demo({ ...env, PUBLIC_URL: url });
    const password = /Password of all: (\S+)/.exec(out)![1]!;
    const counts = await Promise.all(
      ['edgar.brook', 'cora.field', 'victor.hill', 'nina.vale'].map(async (name) => {
        const get = await reader(`${name}@example.com`, password);
        return (await get('/applications')).totalCount as number;
      }),
    );
    expect(counts).toEqual([3, 3, 3, 1]);
  });

  it('fills a platform that it reaches over HTTP only, and invites the people', async () => {
    const { code, out, err } = await demo({ API_URL: url, ...ADMIN });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).not.toContain('Password');
    const get = await reader(ADMIN.ADMIN_EMAIL, ADMIN.ADMIN_PASSWORD);
    const [org] = (await get('/orgs')).items;
    expect(org.summary).toMatchObject({ memberCount: 1, pendingInviteCount: 6 });
  });

  it('continues to report with --live', async () => {
    const child = start({ ...env, PUBLIC_URL: url }, '--live');
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    await waitUntil(async () => out.includes('Ctrl-C'), FILLED_MS);
    const get = await reader('ada.north@example.com', /Password of all: (\S+)/.exec(out)![1]!);
    const [application] = (await get('/applications')).items;
    const path = `/applications/${application.id}/devices`;
    const [device] = (await get(`${path}?filter=Truck 1`)).items;
    const begin = new Date().toISOString();
    await waitUntil(async () => {
      const { speed } = await get(`${path}/${device.id}/compositeState`);
      return speed.time > begin;
    }, FILLED_MS);
    child.kill('SIGINT');
    await once(child, 'close');
  });

  it('says how to start a platform if none responds', async () => {
    const address = `http://127.0.0.1:${await freePort()}`;
    const { code, err } = await demo({ API_URL: address, ...ADMIN });
    expect(code).toBe(1);
    expect(err).toBe(
      `No platform responds at ${address}. Start one with "npm start" in another terminal, then repeat.\n`,
    );
  });

  /** Starts the program with a short history. */
  function start(variables: Record<string, string>, ...options: string[]) {
    return spawn(process.execPath, [compiled.program('demo/demo'), '--days', '1', ...options], {
      env: { PATH: process.env.PATH, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async function demo(variables: Record<string, string>) {
    const child = start(variables);
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { out, err, code: code as number };
  }

  async function reader(email: string, password: string): Promise<(path: string) => Promise<any>> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ email, password });
    const response = await fetch(`${url}/auth/user`, { method: 'POST', headers, body });
    const { token } = (await response.json()) as { token: string };
    return async (path) => {
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
      expect([path, answer.status]).toEqual([path, 200]);
      return answer.json();
    };
  }
});

type Get = (path: string) => Promise<any>;

/** Lower limits of the organization's counts. */
const LEAST = {
  appCount: 3,
  deviceCount: 40,
  deviceRecipeCount: 6,
  eventCount: 11,
  flowCount: 22,
  fileCount: 5,
  privateFileCount: 1,
  dataTableCount: 4,
  webhookCount: 3,
  keyCount: 4,
  apiTokenCount: 4,
  credentialCount: 1,
  certificateCount: 1,
  certificateAuthorityCount: 1,
  experienceEndpointCount: 6,
  experienceViewCount: 6,
  experienceUserCount: 3,
  experienceGroupCount: 3,
  experienceVersionCount: 2,
};

/** Expects workflows of every class, runs, events in every state and jobs that ended in both ways. */
async function expectVariety(get: Get, applications: any[]): Promise<void> {
  const each = async (path: string): Promise<any[]> =>
    (await Promise.all(applications.map(({ id }) => get(`/applications/${id}/${path}`)))).flatMap(
      (page) => page.items ?? page,
    );
  const flows = await each(`flows?query=${encodeURIComponent('{}')}`);
  const distinct = (values: unknown[]) => [...new Set(values)].sort();
  expect(distinct(flows.map(({ flowClass }) => flowClass))).toEqual([
    'cloud',
    'customNode',
    'edge',
    'embedded',
    'experience',
  ]);
  expect(distinct((await each('events')).map(({ state }) => state))).toEqual([
    'acknowledged',
    'new',
    'resolved',
  ]);
  expect(distinct((await each('jobLogs')).map(({ status }) => status))).toEqual(['completed', 'errored']);
  expect((await each('edge/deployments')).length).toBe(1);
  expect((await each('embedded/deployments')).length).toBe(2);
  const cloud = flows.filter(({ flowClass }) => flowClass === 'cloud');
  const logs = await Promise.all(
    cloud.map(({ applicationId, id }) => get(`/applications/${applicationId}/flows/${id}/logs`)),
  );
  expect(logs.filter((runs) => runs.length > 0).length).toBeGreaterThanOrEqual(4);
}

/** Expects a value of every attribute of every device that reports. */
async function expectReports(get: Get, applications: any[]): Promise<void> {
  for (const { id } of applications) {
    const { items } = await get(`/applications/${id}/devices`);
    for (const { id: deviceId, deviceClass, attributes } of items) {
      if (deviceClass === 'system') continue;
      const values = await get(`/applications/${id}/devices/${deviceId}/compositeState`);
      const names = attributes.map(({ name }: { name: string }) => name);
      expect(Object.keys(values).sort()).toEqual(names.sort());
    }
  }
}

async function openJobs(get: Get, applications: any[]): Promise<number> {
  const pages = await Promise.all(applications.map(({ id }) => get(`/applications/${id}/jobLogs`)));
  const jobs: any[] = pages.flatMap(({ items }) => items);
  return jobs.filter(({ status }) => status === 'queued' || status === 'inProgress').length;
}

/** Counts of the organization's resources, and the number of changes that its audit log has. */
async function contents(get: Get, orgId: string): Promise<unknown> {
  const [{ summary }, { totalCount }] = await Promise.all([
    get(`/orgs/${orgId}`),
    get(`/orgs/${orgId}/audit-logs`),
  ]);
  return { summary, changes: totalCount };
}
