import { TestDeployments } from '../../../../test/make/deployments.js';
import { waitForOutcome } from '../../../../test/make/exports.js';
import { mailsTo } from '../../../../test/doubles/mails.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { EmbeddedModule } from './embedded-module.entity.js';
import { ModuleCompiler } from '../../../workflows/embedded/module-compiler.js';

// Compilation takes seconds, or minutes on a busy machine.
const TIMEOUT_MS = 240_000;
jest.setTimeout(TIMEOUT_MS + 30_000);

const { test, user, application } = suite({ COMPILE_TIMEOUT: '600' });
const deployments = new TestDeployments({ test, user, application }, 'embedded');

it('an export completes and notifies once even if its compiler is killed', async () => {
  const device = await deployments.device();
  await deployments.release(await deployments.flow(), 'develop', device);
  const compiler = test.app.get(ModuleCompiler, { strict: false });
  const { status, body } = await test.client.post(
    `${deployments.path}/export`,
    { deviceId: device.id },
    { token: user.token },
  );
  expect(status).toBe(202);
  const claimed = { deviceId: device.id, attempts: 1 };
  await waitUntil(
    async () => compiler.pids.length > 0 && (await test.dataSource.manager.existsBy(EmbeddedModule, claimed)),
    TIMEOUT_MS,
  );
  for (const pid of compiler.pids) process.kill(pid, 'SIGKILL');
  await waitUntil(async () => compiler.pids.length === 0);
  // Simulates an expired lease.
  const text = `UPDATE embedded_modules SET due_at = now() - interval '1 ms' WHERE device_id = $1 AND status = 'wanted' AND attempts = 1`;
  await test.dataSource.query(text, [device.id]);
  expect(await waitForOutcome(test, body.jobId, TIMEOUT_MS)).toMatchObject({ status: 'completed' });
  expect(await mailsTo(test, user.email)).toHaveLength(1);
  const [row] = await test.dataSource.manager.findBy(EmbeddedModule, { deviceId: device.id });
  expect(row).toMatchObject({ status: 'ready', attempts: 2 });
});
