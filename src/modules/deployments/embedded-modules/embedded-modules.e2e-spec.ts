import { gunzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { CallbackReceiver } from '../../../../test/doubles/callback-receiver.js';
import { TestDeployments } from '../../../../test/make/deployments.js';
import { deviceToken, makeKey } from '../../../../test/make/device-tokens.js';
import { Host } from '../../../../test/suites/embedded/host.js';
import { makeVersion } from '../../../../test/make/flows.js';
import { download, waitForOutcome, mailedLink } from '../../../../test/make/exports.js';
import { makeApplication, makeUser } from '../../../../test/make/make.js';
import { mailsTo } from '../../../../test/doubles/mails.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { unzippedBytes } from '../../../../test/make/zip-files.js';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { newId } from '../../../platform/repositories/resource.js';
import { EmbeddedModule } from './embedded-module.entity.js';
import { moduleKey } from './module-metadata.js';
import { ModuleRetention } from './module-retention.js';

// Compilation takes seconds, or minutes on a busy machine.
const TIMEOUT_MS = 240_000;
jest.setTimeout(TIMEOUT_MS + 30_000);

const env: Record<string, string> = { COMPILE_TIMEOUT: '600' };
const receiver = new CallbackReceiver();
beforeAll(async () => Object.assign(env, { CALLBACK_ORIGINS: await receiver.start() }));
afterAll(() => receiver.stop());
const { test, user, application } = suite(env, { retries: false });

const deployments = new TestDeployments({ test, user, application }, 'embedded');
const GRAPH = {
  triggers: [{ type: 'timer', key: 'tick', config: { seconds: 1 }, outputIds: [['say']] }],
  nodes: [{ id: 'say', type: 'DebugNode', config: { message: 'Beat' }, outputIds: [[]] }],
};
/** Default compiler options in this file. */
const ASKED = { exportMemory: true, debugSymbols: true };

let flow: any;
let pump: any;
beforeEach(async () => {
  flow = await deployments.flow([], { name: 'Pulse' });
  await makeVersion(test, user.token, flow, { version: '1.0.0', ...GRAPH });
  pump = await deployments.device({ name: 'Pump 3' });
  await deployments.release(flow, '1.0.0', pump);
});

const bundleOf = async (device: any): Promise<string> =>
  (await deployments.of(device))[0].desiredBundleVersion;
const asked = (body?: object, token = user.token) =>
  test.client.request('POST', `${deployments.path}/export`, { token, body });
async function exported(body?: object): Promise<any> {
  const answer = await asked(body);
  expect(answer.body).toMatchObject({ success: true, jobQueued: true });
  return waitForOutcome(test, answer.body.jobId, TIMEOUT_MS);
}
async function zipFor(email: string): Promise<Record<string, Buffer>> {
  const response = await download(test, await mailedLink(test, email));
  return unzippedBytes(await buffer(Readable.fromWeb(response.body as any)));
}
const modulesOf = (device: any) => test.dataSource.manager.findBy(EmbeddedModule, { deviceId: device.id });
/** Simulates a release that a newer platform version rejects. The changed version creates a new bundle. */
async function spoil(): Promise<void> {
  const before = await bundleOf(pump);
  const text = `UPDATE flow_versions SET nodes = jsonb_set(nodes::jsonb, '{0,type}', '"NoSuchNode"') WHERE flow_id = $1`;
  await test.dataSource.query(text, [flow.id]);
  await waitUntil(async () => (await bundleOf(pump)) !== before);
}

const agent = (device: any) => `/applications/${application.id}/devices/${device.id}/embedded`;
const hello = (device: any, bundle: string, compilerOptions: object = ASKED, token = user.token) =>
  test.client.post(
    `${agent(device)}/hello`,
    { service: 'embeddedWorkflowAgent', version: '1.0.0', bundle, compilerOptions },
    { token },
  );
const looked = (device: any, bundle: string, token = user.token) =>
  test.client.get(`${agent(device)}/bundles/${bundle}`, { token });
/** Waits until the modules of a device are compiled or have failed. */
const settled = (device: any) =>
  waitUntil(async () => (await modulesOf(device)).every(({ status }) => status !== 'wanted'), TIMEOUT_MS);
/** Downloads a bundle byte for byte. */
async function fetched(device: any, bundle: string, token = user.token): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  return fetch(`${test.client.url}${agent(device)}/bundles/${bundle}`, { headers });
}
const tokenOfDevice = async (device: any) =>
  deviceToken(test, device.id, (await makeKey(test, user.token, device.applicationId)).id);

describe('embedded bundle export', () => {
  it('contains the module of a device, its source map and manifest entry, and compiles it once', async () => {
    const email = `${newId()}@example.com`;
    const body = {
      deviceId: pump.id.toUpperCase(),
      ...ASKED,
      gzip: true,
      email,
      callbackUrl: receiver.origin,
    };
    const [job, second] = await Promise.all([exported(body), exported({ ...body, gzip: false })]);
    expect([job.status, second.status]).toEqual(['completed', 'completed']);
    const [row, ...others] = await modulesOf(pump);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ status: 'ready', attempts: 1, askedAt: null });
    await waitUntil(async () => receiver.told(job.id).length === 1);
    expect(receiver.told(job.id)[0]).toMatchObject({
      type: 'embeddedDeployments.export',
      data: { jobId: job.id, applicationId: application.id, status: 'completed', url: expect.any(String) },
    });
    const mails = await mailsTo(test, email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'The export of the embedded workflows of Pump 3 is done',
      'The export of the embedded workflows of Pump 3 is done',
    ]);
    const { url } = receiver.told(job.id)[0].data;
    const response = await download(test, url);
    const files = await unzippedBytes(await buffer(Readable.fromWeb(response.body as any)));
    const [manifest, packed, map] = [
      'manifest.json',
      `${pump.id}/module.wasm.gz`,
      `${pump.id}/module.wasm.map`,
    ];
    expect(Object.keys(files)).toEqual([manifest, packed, map]);
    const module = gunzipSync(files[packed]!);
    const [deployment] = await deployments.of(pump);
    expect(JSON.parse(files[manifest]!.toString())).toEqual({
      applicationId: application.id,
      gzip: true,
      modules: [
        {
          deploymentId: deployment.id,
          deviceId: pump.id,
          bundleIdentifier: deployment.desiredBundleVersion,
          interfaceVersion: '1.0.0',
          workflows: [{ flowId: flow.id, name: 'Pulse', version: '1.0.0' }],
          options: { traceLevel: 0, disableDebugMessage: false, debugSymbols: true, exportMemory: true },
          size: module.byteLength,
          sha256: createHash('sha256').update(module).digest('hex'),
          symbolsSize: files[map]!.byteLength,
          files: { module: packed, symbols: map },
          imports: [],
        },
      ],
      failed: [],
    });
    expect(JSON.parse(files[map]!.toString())).toMatchObject({ version: 3 });
    const host = Host.started(module, { deviceId: pump.id });
    expect(host.exports.eea_loop!(BigInt(host.time))).toBe(0);
    expect(host.sent.map(({ topic }) => topic)).toEqual([`fieldwright/${pump.id}/fromAgent/debug`]);
    expect((await deployments.of(pump))[0]).toMatchObject({ currentBundleVersion: 'nullVersion' });
  });

  it('contains all desired bundles by default, and reports those that cannot be compiled', async () => {
    const valve = await deployments.device({ name: 'Valve' });
    await deployments.release(await deployments.flow([], { name: 'Good', ...GRAPH }), 'develop', valve);
    const idle = await deployments.device({ name: 'Idle' });
    await hello(idle, 'nullVersion');
    await spoil();
    expect(await exported()).toMatchObject({
      status: 'completed',
      applicationId: application.id,
      resourceType: 'application',
      progress: { completed: 2, total: 2 },
    });
    const files = await zipFor(user.email);
    const manifest = JSON.parse(files['manifest.json']!.toString());
    const bundle = await bundleOf(pump);
    const error = expect.stringContaining('workflow "Pulse", node say');
    expect(Object.keys(files)).toEqual(['manifest.json', `${valve.id}/module.wasm`]);
    expect(manifest.modules.map(({ deviceId }: any) => deviceId)).toEqual([valve.id]);
    expect(manifest.failed).toEqual([{ deviceId: pump.id, bundle, error }]);
    const [mail] = await mailsTo(test, user.email);
    expect(mail!.text).toContain(`The bundle of device ${pump.id} could not be compiled: workflow "Pulse"`);
  });

  it('fails if no bundle can be compiled, with the reason in the job, email, callback and log', async () => {
    await spoil();
    const [deployment] = await deployments.of(pump);
    const job = await exported({
      embeddedDeploymentId: deployment.id,
      callbackUrl: receiver.origin,
      email: user.email,
    });
    const message = expect.stringMatching(/^workflow "Pulse", node say.*NoSuchNode/);
    expect(job).toMatchObject({ status: 'errored', error: { name: 'Validation', message } });
    expect(job).toMatchObject({ resourceType: 'device', resourceId: pump.id });
    const [mail] = await mailsTo(test, user.email);
    expect(mail!.subject).toBe('The export of the embedded workflows of Pump 3 has failed');
    expect(mail!.text).toContain('workflow "Pulse", node say');
    await waitUntil(async () => receiver.told(job.id).length === 1);
    expect(receiver.told(job.id)[0].data).toMatchObject({ status: 'failed', error: { message } });
    const attemptedBundle = deployment.desiredBundleVersion;
    expect((await deployments.of(pump))[0].logs[0]).toMatchObject({ attemptedBundle, error: message });
  });

  it('returns 404 for devices without a desired bundle', async () => {
    const other = await makeApplication(test, user.token);
    const idle = await deployments.device({ name: 'Idle' });
    const [deployment] = await deployments.of(pump);
    const missing = { type: 'NotFound', message: 'Embedded deployment was not found' };
    for (const body of [
      { deviceId: newId() },
      { deviceId: idle.id },
      { embeddedDeploymentId: newId() },
      { embeddedDeploymentId: deployment.id, deviceId: idle.id },
    ]) {
      const { status, body: answer } = await asked(body);
      expect([status, answer]).toEqual([404, missing]);
    }
    const path = `/applications/${other.id}/embedded/deployments/export`;
    expect((await test.client.post(path, { deviceId: pump.id }, { token: user.token })).status).toBe(404);
    await deployments.act('remove', { flowId: null, deviceId: pump.id });
    expect((await asked()).status).toBe(404);
  });

  it.each([
    [{ stackSize: 1 }, 'embeddedDeploymentExport.stackSize must be at least 1600'],
    [{ traceLevel: 3 }, 'embeddedDeploymentExport.traceLevel must be one of 0, 1, 2'],
    [{ callbackUrl: 'http://127.0.0.1:1/' }, 'embeddedDeploymentExport.callbackUrl must be an https address'],
  ])('rejects %j', async (body, message) => {
    expect((await asked(body)).body).toMatchObject({
      type: 'Validation',
      message: expect.stringContaining(message.split(' ')[0]!),
    });
  });
});

describe('embedded agent', () => {
  it('sends a hello, downloads its compiled bundle, and runs it', async () => {
    const token = await tokenOfDevice(pump);
    const bundle = await bundleOf(pump);
    expect((await hello(pump, 'nullVersion', ASKED, token)).body).toEqual({
      desiredBundleVersion: bundle,
      state: 'compiling',
    });
    const early = await looked(pump, bundle, token);
    if (early.status === 202) expect(early.headers.get('retry-after')).toBe('2');
    await settled(pump);
    const plain = await fetched(pump, bundle, token);
    expect([plain.status, plain.headers.get('content-type')]).toEqual([200, 'application/wasm']);
    expect(plain.headers.get('content-encoding')).toBeNull();
    const module = Buffer.from(await plain.arrayBuffer());
    const digest = createHash('sha256').update(module).digest('hex');
    expect(plain.headers.get('etag')).toBe(`"${digest}"`);
    Host.started(module, { deviceId: pump.id });

    const again = await hello(pump, 'nullVersion', { ...ASKED, gzip: true }, token);
    expect(again.body).toEqual({ desiredBundleVersion: bundle, state: 'ready' });
    const packed = await fetched(pump, bundle, token);
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(Buffer.from(await packed.arrayBuffer()).equals(module)).toBe(true);

    expect((await hello(pump, bundle, ASKED, token)).body).toEqual({
      desiredBundleVersion: bundle,
      state: 'current',
    });
    expect((await deployments.of(pump))[0]).toMatchObject({
      currentBundleVersion: bundle,
      unknownBundle: false,
      flows: { [flow.id]: { currentVersion: '1.0.0', desiredVersion: '1.0.0' } },
    });

    // A module whose blob was deleted is compiled again.
    const [row] = await modulesOf(pump);
    await test.app.get<Blobs>(BLOBS).delete(moduleKey(row!.content!));
    expect((await looked(pump, bundle, token)).status).toBe(202);
    await settled(pump);
    expect(Buffer.from(await (await fetched(pump, bundle, token)).arrayBuffer()).equals(module)).toBe(true);

    // Modules that are old or exceed the size limit are deleted with their blobs.
    await test.dataSource.query(
      `UPDATE embedded_modules SET made_at = now() - interval '31 days' WHERE device_id = $1`,
      [pump.id],
    );
    await test.app.get(ModuleRetention, { strict: false }).runBatch();
    expect(await modulesOf(pump)).toEqual([]);
    expect(await test.app.get<Blobs>(BLOBS).find(moduleKey(row!.content!))).toBeUndefined();
  });

  it('gets the desired bundle after it reports an unknown one', async () => {
    const desiredBundleVersion = await bundleOf(pump);
    const { body } = await hello(pump, '1500000000000');
    expect(body).toEqual({ desiredBundleVersion, state: 'compiling' });
    const [deployment] = await deployments.of(pump);
    expect(deployment).toMatchObject({ currentBundleVersion: '1500000000000', unknownBundle: true });
    expect(deployment.logs[0]).toMatchObject({
      updateType: 'unknownBundle',
      attemptedBundle: '1500000000000',
      sourceType: 'device',
      sourceId: pump.id,
    });
    await test.dataSource.query(`DELETE FROM embedded_modules WHERE device_id = $1`, [pump.id]);
  });

  it('gets no module if it provides an incompatible interface, and the error is logged', async () => {
    const bundle = await bundleOf(pump);
    const offering = async (version: string) => {
      const body = {
        service: 'embeddedWorkflowAgent',
        version,
        bundle: '1500000000000',
        compilerOptions: ASKED,
      };
      return (await test.client.post(`${agent(pump)}/hello`, body, { token: user.token })).body;
    };
    expect(await offering('1.9.0')).toEqual({ desiredBundleVersion: bundle, state: 'compiling' });
    const error = expect.stringContaining('the device provides 2.0.0');
    for (let i = 0; i < 2; i++)
      expect(await offering('2.0.0')).toEqual({ desiredBundleVersion: bundle, state: 'failed', error });
    expect((await looked(pump, bundle)).status).toBe(404);
    const [{ logs, currentBundleVersion }] = await deployments.of(pump);
    expect(currentBundleVersion).toBe('1500000000000');
    expect(logs.slice(0, 2)).toMatchObject([
      { changeType: 'current', attemptedBundle: bundle, error },
      { updateType: 'unknownBundle' },
    ]);
    expect(await offering('0.9.0')).toMatchObject({ state: 'failed' });
    expect((await modulesOf(pump)).filter(({ askedAt }) => askedAt !== null)).toEqual([]);
    await test.dataSource.query(`DELETE FROM embedded_modules WHERE device_id = $1`, [pump.id]);
  });

  it('gets the reason if its bundle cannot be compiled, and the compilation is retried later', async () => {
    await spoil();
    const bundle = await bundleOf(pump);
    await hello(pump, 'nullVersion');
    await settled(pump);
    const { status, body } = await looked(pump, bundle);
    const error = expect.stringContaining('workflow "Pulse", node say');
    expect([status, body]).toEqual([409, { type: 'Conflict', message: error }]);
    expect((await hello(pump, 'nullVersion')).body).toMatchObject({ state: 'failed', error });
    expect((await deployments.of(pump))[0].logs.filter((entry: any) => entry.error)).toHaveLength(1);
    await test.dataSource.query(
      `UPDATE embedded_modules SET due_at = now() - interval '1 ms' WHERE device_id = $1`,
      [pump.id],
    );
    expect((await hello(pump, 'nullVersion')).body).toMatchObject({ state: 'compiling' });
    await settled(pump);
  });

  it('has at most one queued module, and only for its desired bundle', async () => {
    await test.dataSource.query(`UPDATE embedded_modules SET due_at = now() + interval '1 hour'`);
    const bundle = await bundleOf(pump);
    const idle = await deployments.device();
    expect((await hello(idle, 'nullVersion')).body).toEqual({
      desiredBundleVersion: 'nullVersion',
      state: 'none',
    });
    expect(await modulesOf(idle)).toEqual([]);
    expect((await looked(pump, bundle)).status).toBe(404);
    for (const old of ['1500000000000', 'nullVersion', 'x'])
      expect((await looked(pump, old)).status).toBe(404);
  });

  it('can act only for itself', async () => {
    const valve = await deployments.device({ name: 'Valve' });
    const other = await makeApplication(test, user.token);
    const [own, stranger] = [await tokenOfDevice(pump), (await makeUser(test)).token];
    const bundle = await bundleOf(pump);
    for (const [device, token] of [
      [valve, own],
      [pump, stranger],
    ] as const) {
      expect((await hello(device, 'nullVersion', {}, token)).status).toBe(404);
      expect((await looked(device, bundle, token)).status).toBe(404);
    }
    const path = `/applications/${other.id}/devices/${pump.id}/embedded/hello`;
    const body = { service: 'embeddedWorkflowAgent', version: '1.0.0', bundle: 'nullVersion' };
    expect((await test.client.post(path, body, { token: user.token })).status).toBe(404);
    expect((await test.client.post(path, body, { token: own })).status).toBe(404);
    expect((await hello(await deployments.device({ deviceClass: 'standalone' }), 'nullVersion')).status).toBe(
      404,
    );
  });

  it('is limited to sixty requests per minute', async () => {
    const idle = await deployments.device();
    const answers = await Promise.all(Array.from({ length: 61 }, () => looked(idle, '1500000000000')));
    expect(
      answers
        .map(({ status }) => status)
        .sort()
        .slice(-2),
    ).toEqual([404, 429]);
    expect((await hello(idle, 'nullVersion')).status).toBe(429);
  });
});
