import { createHash } from 'node:crypto';
import { TestDeployments } from '../../../../test/make/deployments.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { moduleFor } from '../../../workflows/embedded/device-facts.js';
import { ModuleCompiler } from '../../../workflows/embedded/module-compiler.js';
import { EmbeddedModule } from './embedded-module.entity.js';
import { EmbeddedModulesRepository } from './embedded-modules.repository.js';
import { ModuleRetention } from './module-retention.js';
import { readShared } from './module-blobs.js';
import { deviceFactsOf, optionsOf, recipeOf } from './module-metadata.js';

// Compilation takes seconds, or minutes on a busy machine.
const TIMEOUT_MS = 480_000;
jest.setTimeout(TIMEOUT_MS + 30_000);

const DEVICES = 1_000;
const FAILING = 20;
const { test, user, application } = suite({ COMPILE_TIMEOUT: '600', COMPILE_PROCESSES: '2' });
const deployments = new TestDeployments({ test, user, application }, 'embedded');

/** Copies the deployment of a device to many made-up devices. Only deployments are read to compile modules. */
async function copyDeployment(deviceId: string): Promise<void> {
  const id = (digit: string) => `'${digit}' || lpad(to_hex(n), 23, '0')`;
  for (const [table, ids] of [
    ['embedded_deployments', `'id', ${id('d')}, 'device_id', ${id('e')}`],
    ['embedded_deployment_flows', `'device_id', ${id('e')}`],
  ])
    await test.dataSource.query(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object(${ids}))).*
        FROM ${table} t, generate_series(2, ${DEVICES}) n WHERE t.device_id = $1`,
      [deviceId],
    );
}

/** Requests the modules of devices and waits for the results. */
async function build(recipe: string, devices: number): Promise<EmbeddedModule[]> {
  const targets = await test.dataSource.query(
    `SELECT device_id AS "deviceId", desired_bundle_version AS "bundleVersion" FROM embedded_deployments
      WHERE application_id = $1 LIMIT $2`,
    [application.id, devices],
  );
  const rows = test.app.get(EmbeddedModulesRepository, { strict: false });
  await rows.requestMany({ applicationId: application.id, targets, recipe }, true);
  const of = { applicationId: application.id, recipe };
  const count = `SELECT count(*)::int AS n FROM embedded_modules WHERE application_id = $1 AND status = 'wanted'`;
  await waitUntil(async () => (await test.dataSource.query(count, [application.id]))[0].n === 0, TIMEOUT_MS);
  return test.dataSource.manager.findBy(EmbeddedModule, of);
}

it(`one compilation makes the modules of ${DEVICES} devices with the same workflows`, async () => {
  const compile = jest.spyOn(test.app.get(ModuleCompiler, { strict: false }), 'compile');
  const flow = await deployments.flow([], {
    triggers: [{ type: 'timer', key: 'tick', config: { seconds: 1 }, outputIds: [['say']] }],
    nodes: [{ id: 'say', type: 'DebugNode', config: { message: 'Beat' }, outputIds: [[]] }],
  });
  const device = await deployments.device();
  await deployments.release(flow, 'develop', device);
  await copyDeployment(device.id);
  const recipe = recipeOf(optionsOf({ exportMemory: true }, 'fieldwright'));
  const modules = await build(recipe, DEVICES);
  expect(modules).toHaveLength(DEVICES);
  expect(new Set(modules.map(({ status }) => status))).toEqual(new Set(['ready']));
  expect(compile).toHaveBeenCalledTimes(1);
  expect(new Set(modules.map(({ content }) => content)).size).toBe(1);
  expect(new Set(modules.map(({ facts }) => facts!.sha256)).size).toBe(DEVICES);
  const { content, facts, deviceId } = modules[500]!;
  const shared = await readShared(test.app.get<Blobs>(BLOBS), content!);
  const module = moduleFor(deviceFactsOf(facts!), shared!);
  expect(facts).toMatchObject({
    deviceId,
    sha256: createHash('sha256').update(module).digest('hex'),
    size: module.byteLength,
  });

  // The blob is kept as long as any module uses it.
  const age = `UPDATE embedded_modules SET made_at = now() - interval '31 days' WHERE device_id > $1`;
  await test.dataSource.query(age, [deviceId]);
  const retention = test.app.get(ModuleRetention, { strict: false });
  while (await retention.runBatch());
  expect(await test.dataSource.manager.countBy(EmbeddedModule, { recipe })).toBeLessThan(DEVICES);
  expect(await readShared(test.app.get<Blobs>(BLOBS), content!)).toEqual(shared);

  // A failure is shared too, for a minute. The changed version creates new bundles.
  const nodes = `jsonb_set(nodes::jsonb, '{0,type}', '"NoSuchNode"')`;
  await test.dataSource.query(`UPDATE flows SET nodes = ${nodes} WHERE id = $1`, [flow.id]);
  await deployments.work();
  const again = await build(recipe, FAILING);
  const failed = again.filter(({ status }) => status === 'failed');
  expect(failed).toHaveLength(FAILING);
  expect(new Set(failed.map(({ error }) => error)).size).toBe(1);
  expect(compile).toHaveBeenCalledTimes(2);
});
