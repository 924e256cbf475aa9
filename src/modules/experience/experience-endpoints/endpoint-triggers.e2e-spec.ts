import { makeFlow, makeVersion } from '../../../../test/make/flows.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { suite } from '../../../../test/setup/suite.js';
import { EndpointRequestsService, type EndpointFiring } from './endpoint-requests.service.js';

const ANY = '0'.repeat(24);

const { test, user, application } = suite();
let endpoint: any;

beforeEach(async () => {
  const path = `/applications/${application.id}/experience/endpoints`;
  endpoint = (await test.client.post(path, { method: 'get', route: '/' }, { token: user.token })).body;
});

const trigger = (config?: object, key: string = endpoint.id) => ({
  type: 'endpoint',
  key,
  ...(config ? { config } : {}),
});
const listening = (flowClass: string, triggers: object[] = [trigger()], more: object = {}) =>
  makeFlow(test, user.token, application.id, { flowClass, triggers, ...more });

/** Fires a request and returns the triggered workflows with their versions. */
async function fire(asked: Partial<EndpointFiring> = {}): Promise<[string, string | null][]> {
  const request = {
    applicationId: application.id,
    endpointId: endpoint.id,
    experienceVersion: 'develop',
    data: { method: 'get', path: '/' },
    experience: { version: 'develop' },
    isAwaited: true,
    bytes: 12,
    ...asked,
  } as const;
  const ids = await test.app.get(EndpointRequestsService).fire(request);
  const runs = await requestedRuns(test, { applicationId: application.id });
  const started = runs.filter(({ id }) => ids.includes(id));
  for (const { trigger } of started)
    expect(trigger).toEqual({
      type: 'endpoint',
      key: request.endpointId,
      data: request.data,
      experience: request.experience,
    });
  return started
    .map(({ flowId, flowVersionId }): [string, string | null] => [flowId, flowVersionId])
    .sort(([a], [b]) => a.localeCompare(b));
}

/** Stores a workflow of the experience as part of a version. */
async function keep(flow: any, version: string): Promise<string> {
  const [row] = await test.dataSource.query(
    `INSERT INTO flow_versions (id, creation_date, last_updated, application_id, flow_id, flow_class, version, enabled, triggers, nodes, globals)
     SELECT left(md5(id || $2), 24), now(), now(), application_id, id, flow_class, $2, enabled, triggers, nodes, globals
     FROM flows WHERE id = $1 RETURNING id`,
    [flow.id, version],
  );
  return row.id;
}

describe('A request to an endpoint', () => {
  it('runs the workflows of its experience and those of the application triggered by it, each once', async () => {
    const own = await listening('experience');
    const twice = await listening('experience', [trigger(), trigger(undefined, ANY)]);
    const cloud = await listening('cloud');
    await listening('experience', [trigger(undefined, user.id)]);
    await listening('experience', [trigger()], { enabled: false });
    await listening('cloud', [trigger({ experienceVersion: 'v1' })]);
    const ran = await fire();
    expect(ran).toEqual([own, twice, cloud].map(({ id }) => [id, null]));
  });

  it('runs the workflows in the version of the experience', async () => {
    const flow = await listening('experience');
    const kept = await keep(flow, 'v1');
    const cloud = await listening('cloud', [trigger({ experienceVersion: 'v1' })]);
    await test.client.patch(
      `/applications/${application.id}/flows/${flow.id}`,
      { enabled: false },
      { token: user.token },
    );
    expect(await fire({ experienceVersion: 'v1' })).toEqual([
      [flow.id, kept],
      [cloud.id, null],
    ]);
    expect(await fire()).toEqual([]);
    expect(await fire({ experienceVersion: 'v2' })).toEqual([]);
    const always = await listening('cloud', [trigger(undefined, ANY)]);
    for (const experienceVersion of ['develop', 'v2'])
      expect(await fire({ experienceVersion })).toEqual([[always.id, null]]);
  });

  it('runs workflows of the application in the version that the trigger selects', async () => {
    const flow = await listening('cloud');
    const version = await makeVersion(test, user.token, flow, { version: '1.0', triggers: [trigger()] });
    const experience = await listening('experience');
    expect(await fire({ flowVersion: '1.0' })).toEqual([
      [flow.id, version.id],
      [experience.id, null],
    ]);
    expect(await fire({ flowVersion: '2.0' })).toEqual([[experience.id, null]]);
  });

  it('counts as a payload, even if no workflow is triggered', async () => {
    await fire();
    await fire({ userId: user.id, bytes: 30 });
    const [{ sum }] = await test.dataSource.query(
      `SELECT sum(p.n)::int || '/' || sum(p.bytes) AS sum FROM (
         SELECT n, bytes FROM payload_deltas WHERE application_id = $1 AND type = 'endpoint'
         UNION ALL SELECT n, bytes FROM application_payload_sums WHERE application_id = $1 AND type = 'endpoint' AND hours = 1) p`,
      [application.id],
    );
    expect(sum).toBe('2/42');
  });
});
