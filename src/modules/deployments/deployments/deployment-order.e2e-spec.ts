import { TestDeployments } from '../../../../test/make/deployments.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { EmbeddedBundlesRepository } from '../embedded-deployments/embedded-bundles.repository.js';

const { test, user, application } = suite();
const of = (kind: 'embedded' | 'edge') => new TestDeployments({ test, user, application }, kind);
const CLASSES = { embedded: 'embedded', edge: 'edgeCompute' } as const;

/** Creates more devices with the tag `fleet` than one transaction can change. Returns their IDs. */
async function makeFleet(deviceClass: string, size: number): Promise<string[]> {
  const rows: { id: string }[] = await test.dataSource.query(
    `INSERT INTO devices (id, creation_date, last_updated, application_id, name, tags, attributes, device_class, keep_duplicates)
     SELECT left(md5($1 || n), 24), now(), now(), $1, 'Pump ' || n, '[{"key":"fleet","value":"a"}]', '[]', $2, false
     FROM generate_series(1, $3::int) n RETURNING id`,
    [application.id, deviceClass, size],
  );
  return rows.map(({ id }) => id).sort();
}

/** Returns the desired versions of a workflow by device, from the tables. */
async function desired(kind: 'embedded' | 'edge', flowId: string): Promise<Map<string, string | null>> {
  const table = kind === 'edge' ? 'edge_deployments' : 'embedded_deployment_flows';
  const rows: { device_id: string; desired_version: string | null }[] = await test.dataSource.query(
    `SELECT device_id, desired_version FROM ${table} WHERE flow_id = $1`,
    [flowId],
  );
  return new Map(rows.map((row) => [row.device_id, row.desired_version]));
}

describe.each(['embedded', 'edge'] as const)('changes of %s deployments', (kind) => {
  const deployments = of(kind);

  it('leave concurrently changed devices in the same state, whatever their order in the requests', async () => {
    const flow = await deployments.flow(['1', '2']);
    const ids = await makeFleet(CLASSES[kind], 40);
    const release = (version: string, deviceIds: string[]) =>
      deployments.act('release', { flowId: flow.id, version, deviceIds });
    const reversed = ids.toReversed();
    const answers = await Promise.all([
      release('1', ids),
      release('2', reversed),
      release('1', reversed),
      release('2', ids),
      deployments.act('replace', { flowId: flow.id, oldVersion: '1', newVersion: '2' }),
      deployments.act('replace', { flowId: flow.id, oldVersion: '2', newVersion: '1' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
    await deployments.work();
    const versions = await desired(kind, flow.id);
    expect([...versions.keys()].sort()).toEqual(ids);
    expect(new Set(versions.values()).size).toBe(1);
  });

  it('are hidden while their device is deleted and present again when it is restored', async () => {
    const flow = await deployments.flow();
    const devices = [await deployments.device(), await deployments.device()];
    const [gone, left] = devices as [{ id: string }, { id: string }];
    await deployments.release(flow, 'develop', left);
    const path = `/applications/${application.id}/devices/${gone.id}`;
    const release = { flowId: flow.id, version: 'develop', deviceIds: [left.id, gone.id] };
    const [released, deleted] = await Promise.all([
      deployments.act('release', release),
      test.client.delete(path, { token: user.token }),
    ]);
    expect(deleted.status).toBe(200);
    expect([201, 404]).toContain(released.status);
    await deployments.work();
    const { body } = await deployments.list();
    expect(body.items.map((each: any) => each.deviceId)).toEqual([left.id]);
    expect(body.totalCount).toBe(1);
    const restore = { query: { id: gone.id } };
    const devicesPath = `/applications/${application.id}/devices`;
    await test.client.post(`${devicesPath}/restore`, restore, { token: user.token });
    const versions = await desired(kind, flow.id);
    expect((await deployments.list()).body.totalCount).toBe(versions.size);
  });

  it('leave nothing to run when the workflow is deleted concurrently', async () => {
    const flow = await deployments.flow(['1']);
    const ids = await makeFleet(CLASSES[kind], 20);
    const path = `/applications/${application.id}/flows/${flow.id}`;
    const [released, deleted] = await Promise.all([
      deployments.act('release', { flowId: flow.id, version: '1', deviceIds: ids }),
      test.client.delete(path, { token: user.token }),
    ]);
    expect(deleted.status).toBe(200);
    expect([201, 404]).toContain(released.status);
    await deployments.work();
    expect((await desired(kind, flow.id)).size).toBe(0);
  });

  it('are applied in order and in batches for many devices, even with several workers', async () => {
    const flow = await deployments.flow(['1', '2']);
    const ids = await makeFleet(CLASSES[kind], 2_100);
    const other = await deployments.device({ tags: [{ key: 'fleet', value: 'b' }] });
    const deviceTags = [{ key: 'fleet', value: 'a' }];
    const answers = await Promise.all([
      deployments.act('release', { flowId: flow.id, version: '1', deviceTags }),
      deployments.work(),
    ]);
    expect(answers[0].status).toBe(201);
    await deployments.release(flow, '2', { id: ids[5]! }, { id: ids.at(-1)! });
    await deployments.act('replace', { flowId: flow.id, oldVersion: '1', newVersion: 'develop' });
    await Promise.all([deployments.work(), deployments.work(), deployments.work()]);
    const waiting = 'SELECT FROM deployment_tasks WHERE application_id = $1';
    await waitUntil(async () => {
      await deployments.work();
      return (await test.dataSource.query(waiting, [application.id])).length === 0;
    });
    const versions = await desired(kind, flow.id);
    expect(versions.size).toBe(2_100);
    expect(versions.has(other.id)).toBe(false);
    const others = ids.filter((id) => versions.get(id) !== 'develop');
    expect(others.map((id) => versions.get(id))).toEqual(['2', '2']);
    expect(others).toEqual([ids[5], ids.at(-1)].sort());
    await deployments.act('remove', { flowId: flow.id, deviceId: null });
    await waitUntil(async () => {
      await deployments.work();
      return [...(await desired(kind, flow.id)).values()].every((version) => version === null);
    });
  });

  it('are abandoned and reported if they keep failing, and do not block later changes', async () => {
    const flow = await deployments.flow(['1', '2']);
    const ids = await makeFleet(CLASSES[kind], 1_100);
    // The second batch fails because of its last device.
    const trigger = `fail_${application.id}`;
    const table = kind === 'edge' ? 'edge_deployments' : 'embedded_deployment_flows';
    await test.dataSource.query(`CREATE FUNCTION ${trigger}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'In the way'; END $$`);
    await test.dataSource.query(`CREATE TRIGGER ${trigger} BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW
      WHEN (NEW.device_id = '${ids.at(-1)}' AND NEW.desired_version = '1') EXECUTE FUNCTION ${trigger}()`);
    try {
      const deviceTags = [{ key: 'fleet', value: 'a' }];
      expect((await deployments.act('release', { flowId: flow.id, version: '1', deviceTags })).status).toBe(
        201,
      );
      await deployments.act('release', { flowId: flow.id, version: '2', deviceIds: [ids[0]] });
      const passTime = `UPDATE deployment_tasks SET due_at = now() - interval '1 ms' WHERE application_id = $1 RETURNING 1`;
      await waitUntil(async () => {
        await test.dataSource.query(passTime, [application.id]);
        await deployments.work();
        const text = 'SELECT FROM deployment_tasks WHERE application_id = $1';
        return (await test.dataSource.query<object[]>(text, [application.id])).length === 0;
      });
    } finally {
      await test.dataSource.query(`DROP FUNCTION ${trigger} CASCADE`);
    }
    const versions = await desired(kind, flow.id);
    expect(ids.slice(0, 1_000).map((id) => versions.get(id))).toEqual(['2', ...Array<string>(999).fill('1')]);
    expect(versions.size).toBe(1_000);
    const { body } = await test.client.get(`/applications/${application.id}/jobLogs`, { token: user.token });
    expect(body.items).toMatchObject([
      {
        name: `${kind}Deployments.release`,
        status: 'errored',
        error: { message: expect.stringContaining('failed 6 times and was abandoned') },
        requestedById: user.id,
      },
    ]);
  });

  it('are deleted with their application', async () => {
    const flow = await deployments.flow();
    await deployments.release(flow, 'develop', await deployments.device());
    await test.client.delete(`/applications/${application.id}`, { token: user.token });
    await deployments.work();
    expect((await deployments.list()).status).toBe(404);
  });
});

describe('report of an embedded device', () => {
  it('is kept when a release occurs concurrently, as is the release', async () => {
    const deployments = of('embedded');
    const flow = await deployments.flow(['1', '2']);
    const device = await deployments.device();
    await deployments.release(flow, '1', device);
    const [{ desiredBundleVersion: bundle }] = (await deployments.of(device)) as [any];
    const hello = { bundle, compilerOptions: {} };
    const bundles = test.app.get(EmbeddedBundlesRepository, { strict: false });
    await Promise.all([
      bundles.hello(application.id, device.id, hello),
      deployments.release(flow, '2', device),
      bundles.hello(application.id, device.id, hello),
    ]);
    const [deployment] = (await deployments.of(device)) as [any];
    expect(deployment).toMatchObject({
      currentBundleVersion: bundle,
      flows: { [flow.id]: { currentVersion: '1', desiredVersion: '2' } },
    });
    expect(deployment.desiredBundleVersion > bundle).toBe(true);
    expect(deployment.logs.map((entry: any) => entry.updateType).sort()).toEqual([
      'knownBundle',
      'newFlow',
      'replaceFlow',
    ]);
  });
});
