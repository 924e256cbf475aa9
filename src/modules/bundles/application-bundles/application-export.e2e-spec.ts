import { BundledApplication, readBundle } from '../../../../test/make/bundles.js';
import { CallbackReceiver } from '../../../../test/doubles/callback-receiver.js';
import { waitForOutcome, mailedLink } from '../../../../test/make/exports.js';
import { makeApplication, makeMember, makeOrg, uniqueName } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';

const env: Record<string, string> = { EXPORT_INTERVAL: '0' };
const receiver = new CallbackReceiver();
beforeAll(async () => {
  env.CALLBACK_ORIGINS = await receiver.start();
});
afterAll(() => receiver.stop());
const { test, user, application } = suite(env);

const bundled = new BundledApplication(test, application, user);
const at = (path: string) => bundled.at(path);
const ask = (body?: object) => bundled.ask(body);

describe('application export', () => {
  it("notifies by email and callback with a link that expires after the application's blobUrlTTL", async () => {
    await test.client.patch(at(''), { name: 'Pump station', blobUrlTTL: 7_200 }, { token: user.token });
    const email = `${uniqueName()}@example.com`;
    const { status, body } = await ask({ forceJob: true, email, callbackUrl: `${receiver.origin}/exports` });
    expect([status, body]).toEqual([202, { success: true, jobQueued: true, jobId: expect.any(String) }]);
    expect(await waitForOutcome(test, body.jobId)).toMatchObject({
      status: 'completed',
      name: 'application.export',
    });
    const { resources } = await readBundle(test, await mailedLink(test, email));
    expect(resources('application.yaml')).toMatchObject([{ name: 'Pump station' }]);
    await waitUntil(async () => receiver.told(body.jobId).length > 0);
    const [{ type, data }] = receiver.told(body.jobId);
    expect({ type, data }).toMatchObject({
      type: 'application.export',
      data: { applicationId: application.id, status: 'completed', url: expect.any(String) },
    });
    const left = Date.parse(data.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(3_600_000);
    expect(left).toBeLessThanOrEqual(7_200_000);
  });

  it('contains a workflow with a text of nine million word characters', async () => {
    const { token } = user;
    await bundled.make('/webhooks', { name: 'Orders' });
    const script = 'x'.repeat(9_000_000);
    const node = { id: 'run', type: 'FunctionNode', config: { script }, outputIds: [] };
    const flows = [{ name: 'Long', triggers: [], nodes: [node] }];
    expect(await test.client.post(at('/flows/import'), { flows }, { token })).toMatchObject({ status: 201 });
    const email = `${uniqueName()}@example.com`;
    const { body } = await ask({ forceJob: true, email });
    expect(await waitForOutcome(test, body.jobId)).toMatchObject({ status: 'completed' });
    const { resources } = await readBundle(test, await mailedLink(test, email));
    expect(resources('workflows/cloud/Long.yaml')[0].nodes[0].config.script).toHaveLength(script.length);
  });

  it('runs as a job for a large application', async () => {
    await test.dataSource.query(
      `INSERT INTO devices (id, creation_date, last_updated, application_id, name, device_class, tags, attributes, keep_duplicates)
       SELECT lpad(to_hex(n), 8, '0') || substr($1, 9), now(), now(), $1, 'Pump ' || n, 'standalone', '[]', '[]', false
       FROM generate_series(1, 501) n`,
      [application.id],
    );
    const email = `${uniqueName()}@example.com`;
    expect((await ask()).status).toBe(200);
    const { status, body } = await ask({ includeDevices: true, email });
    expect(status).toBe(202);
    const { status: ended, progress } = await waitForOutcome(test, body.jobId);
    const { completed, total } = progress as { completed: number; total: number };
    expect([ended, completed]).toEqual(['completed', total]);
    expect(total).toBeGreaterThan(501);
    const devices = (await readBundle(test, await mailedLink(test, email))).resources('devices.yaml');
    expect(new Set(devices.map((device) => device.id)).size).toBe(501);
  });

  it.each([
    [
      { exportType: 'repo', credentialName: 'a', repo: { branch: 'main' } },
      'applicationExport.credentialName does not match a credential of the application',
    ],
    [{ exportType: 'tar' }, 'applicationExport.exportType must be one of zip, repo'],
    [{ includeDevices: 'yes' }, 'applicationExport.includeDevices must be a boolean'],
    [{ email: 'nobody' }, 'applicationExport.email must be an email address'],
    [
      { callbackUrl: 'http://10.0.0.1/' },
      'applicationExport.callbackUrl must be an https URL of a public server without user information',
    ],
    [{ format: 'json' }, 'applicationExport.format is not a property of applicationExport'],
  ])('rejects %j with 400', async (body, message) => {
    const answer = await ask(body);
    expect([answer.status, answer.body]).toEqual([400, { type: 'Validation', message }]);
  });

  it("requires the role admin and writes to the organization's audit log", async () => {
    const org = await makeOrg(test, user.token);
    const { id: own, name } = await makeApplication(test, user.token, { orgId: org.id });
    const path = `/applications/${own}/export`;
    for (const [role, status] of [
      ['edit', 403],
      ['admin', 200],
    ] as const) {
      const { token } = await makeMember(test, org.id, role);
      expect((await test.client.post(path, {}, { token })).status).toBe(status);
    }
    const { body } = await test.client.get(`/orgs/${org.id}/audit-logs`, { token: user.token });
    const about = body.items.filter(({ requestAction }: any) => requestAction === 'export');
    expect(about).toMatchObject([
      {
        primaryTargetType: 'Application',
        primaryTargetId: own,
        primaryTargetName: name,
        responseStatus: 200,
      },
    ]);
  });
});
