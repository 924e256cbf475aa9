import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExportedModules } from '../../src/modules/deployments/embedded-modules/exported-modules.js';
import { openZip } from '../../src/platform/bundles/zip-bundle.js';
import type { RequestedJob, Effect, JobKind, OutcomeListener } from './requested-job.js';
import type { Field } from './field.js';

const POLL_INTERVAL_MS = 100;
/** Longer than any outage. */
const TIMEOUT_MS = 60_000;
/** Small, because it is compiled anew each time. */
const FLOW = {
  name: 'Pulse',
  flowClass: 'embedded',
  enabled: true,
  minimumAgentVersion: '1.0.0',
  triggers: [{ type: 'timer', key: 'tick', config: { seconds: 1 }, outputIds: [['say']] }],
  nodes: [{ id: 'say', type: 'DebugNode', config: { message: 'Beat' }, outputIds: [[]] }],
};

/** Description of a module in a manifest. */
type Exported = ExportedModules['modules'][number]['facts'] & { files: { module: string } };

/** Exports of modules for a device whose module is not compiled yet. */
export const moduleKinds = (field: Field, listening: OutcomeListener): JobKind[] => [
  { name: 'modules', ask: () => ask(field, listening) },
];

async function ask(field: Field, listening: OutcomeListener): Promise<RequestedJob> {
  const id = await field.application(await field.organization());
  const path = `/applications/${id}`;
  const { id: flowId } = await field.must('POST', `${path}/flows`, FLOW);
  const device = { name: 'Pump', deviceClass: 'embedded' };
  const { id: deviceId } = await field.must('POST', `${path}/devices`, device);
  const deployments = `${path}/embedded/deployments`;
  await field.must('POST', `${deployments}/release`, { flowId, version: 'develop', deviceIds: [deviceId] });
  // Workers complete the release if the request could not.
  const released = `SELECT FROM embedded_deployments WHERE device_id = $1 AND last_bundle > 0`;
  const end = Date.now() + TIMEOUT_MS;
  for (; (await field.rows(released, [deviceId])).length === 0; await sleep(POLL_INTERVAL_MS))
    if (Date.now() > end) throw new Error(`The release to ${deviceId} did not complete`);
  const asked = await listening.ask((told) =>
    field.client.send('POST', `${deployments}/export`, { deviceId, ...told }),
  );
  const { jobId } = asked.answer.body;
  return { kind: 'modules', ...asked, effect: () => effectOf(field, jobId as string, deviceId as string) };
}

/** Checks that the export contains the compiled module of the device, unmodified. */
async function effectOf(field: Field, jobId: string, deviceId: string): Promise<Effect> {
  const key = `exports/${jobId}.zip`;
  if (!(await field.blob(key))) return { whole: 0 };
  const zip = await openZip(join(field.dataDir, 'blobs', key));
  try {
    const read = async (name: string) => buffer(await zip.read(name));
    const manifest = JSON.parse(String(await read('manifest.json'))) as { modules: Exported[] };
    const [module] = manifest.modules;
    if (module?.deviceId !== deviceId) return { whole: 0, odd: 'the module of another device, or none' };
    const digest = createHash('sha256')
      .update(await read(module.files.module))
      .digest('hex');
    return digest === module.sha256 ? { whole: 1 } : { whole: 0, odd: 'incomplete module' };
  } finally {
    await zip.close();
  }
}
