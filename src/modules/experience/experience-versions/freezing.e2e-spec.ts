import { makeFlow } from '../../../../test/make/flows.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const { test, user, application } = suite();
let path: string;
beforeEach(() => {
  path = `/applications/${application.id}`;
});

const auth = () => ({ token: user.token });
const get = (rest: string) => test.client.get(`${path}/${rest}`, auth());
const patch = (rest: string, body: object) => test.client.patch(`${path}/${rest}`, body, auth());
const remove = (rest: string) => test.client.delete(`${path}/${rest}`, auth());
const freeze = (version: string, body: object = {}) =>
  test.client.post(`${path}/experience/versions`, { version, ...body }, auth());
const restore = (sourceVersionIdOrName: string, body: object = {}) =>
  patch('experience/versions/develop', { sourceVersionIdOrName, ...body });
const flowsOf = async (version: string): Promise<any[]> =>
  (await get(`flows/version?flowClass=experience&version=${version}`)).body.items;
const rowsOf = async (table: string, where = 'true'): Promise<number> => {
  const [row] = await test.dataSource.query(
    `SELECT count(*)::int AS n FROM ${table} t WHERE t.application_id = $1 AND ${where}`,
    [application.id],
  );
  return row.n;
};

const trigger = (key: string) => [{ type: 'virtualButton', key }];
const makeExperienceFlow = (name: string, key = name) =>
  makeFlow(test, user.token, application.id, {
    name,
    flowClass: 'experience',
    triggers: trigger(key),
    nodes: [{ id: 'log', type: 'DebugNode', config: { message: key }, outputIds: [[]] }],
    globals: [{ key: 'a', json: '1' }],
  });
const makeView = async (name: string, body = ''): Promise<any> =>
  (await test.client.post(`${path}/experience/views`, { name, viewType: 'page', body }, auth())).body;
const makeEndpoint = async (route: string): Promise<any> =>
  (await test.client.post(`${path}/experience/endpoints`, { method: 'get', route }, auth())).body;

describe('A workflow of an experience', () => {
  it('is stored in a version as it was at the time of the snapshot', async () => {
    const flow = await makeExperienceFlow('a', 'first');
    await makeFlow(test, user.token, application.id, { name: 'cloud' });
    await freeze('v1');
    await patch(`flows/${flow.id}`, { triggers: trigger('second'), nodes: [], enabled: false });
    await makeExperienceFlow('b');
    const kept = await flowsOf('v1');
    expect(kept).toEqual([
      expect.objectContaining({
        name: 'a',
        flowId: flow.id,
        version: 'v1',
        versions: ['v1'],
        enabled: true,
        flowClass: 'experience',
        triggers: flow.triggers,
        nodes: flow.nodes,
        globals: flow.globals,
        createdById: user.id,
      }),
    ]);
    expect((await flowsOf('develop')).map(({ name }) => name)).toEqual(['a', 'b']);
    const versions = await get(`flows/${flow.id}/versions`);
    expect(versions.body).toMatchObject({ totalCount: 1, items: [{ id: kept[0].id, version: 'v1' }] });
    expect(kept[0].id).toMatch(/^[\da-f]{24}$/);
    await remove('experience/versions/v1');
    expect(await flowsOf('v1')).toEqual([]);
    expect((await get(`flows/${flow.id}`)).body).not.toHaveProperty('deletedInDevelop');
  });

  it('remains in versions when it is deleted, and is deleted with the last of them', async () => {
    const flow = await makeExperienceFlow('a');
    for (const version of ['v1', 'v2']) await freeze(version);
    expect((await remove(`flows/${flow.id}`)).body).toEqual({ success: true });
    const left = await get(`flows/${flow.id}`);
    expect(left.body).toMatchObject({
      name: 'a',
      deletedInDevelop: true,
      triggers: [],
      nodes: [],
      globals: [],
    });
    expect(await flowsOf('develop')).toEqual([]);
    expect((await get('flows?flowClass=experience')).body).toMatchObject({
      totalCount: 1,
      items: [{ id: flow.id, deletedInDevelop: true }],
    });
    const gone = 'flow is deleted in develop: only versions of the experience contain it';
    expect((await remove(`flows/${flow.id}`)).body.message).toBe(gone);
    expect((await patch(`flows/${flow.id}`, { triggers: trigger('b') })).body.message).toBe(gone);
    await freeze('v3');
    expect(await flowsOf('v3')).toEqual([]);
    for (const version of ['v1', 'v2']) {
      expect(await flowsOf(version)).toMatchObject([{ flowId: flow.id, triggers: flow.triggers }]);
      await remove(`experience/versions/${version}`);
    }
    expect((await get(`flows/${flow.id}`)).status).toBe(404);
    expect(await rowsOf('flow_triggers')).toBe(0);
  });

  it('is deleted immediately when no version contains it', async () => {
    const flow = await makeExperienceFlow('a');
    await remove(`flows/${flow.id}`);
    expect((await get(`flows/${flow.id}`)).status).toBe(404);
  });

  it('cannot have its experience versions deleted separately', async () => {
    const flow = await makeExperienceFlow('a');
    await freeze('v1');
    const [{ id }] = await flowsOf('v1');
    const own = `flows/${flow.id}/versions`;
    const alone =
      'flowVersion cannot be deleted from an experience workflow: its versions are those of the experience';
    expect((await remove(`${own}/${id}`)).body.message).toBe(alone);
    const { body } = await test.client.post(`${path}/${own}/delete`, { query: {} }, auth());
    expect(body.message).toBe(alone.replace('flowVersion', 'flowVersions'));
    expect(await flowsOf('v1')).toHaveLength(1);
  });

  it('is either in a version or deleted when both happen concurrently', async () => {
    for (let i = 0; i < 6; i++) {
      const flow = await makeExperienceFlow(`flow ${i}`);
      const [frozen, deleted] = await Promise.all([freeze(`v${i}`), remove(`flows/${flow.id}`)]);
      expect([frozen.status, deleted.status]).toEqual([201, 200]);
      const kept = (await flowsOf(`v${i}`)).length;
      expect((await get(`flows/${flow.id}`)).status).toBe(kept ? 200 : 404);
    }
    expect(await rowsOf('flow_versions', 'NOT EXISTS (SELECT FROM flows f WHERE f.id = t.flow_id)')).toBe(0);
  });

  it('is deleted with the last versions when these are deleted concurrently', async () => {
    for (let i = 0; i < 4; i++) {
      const flow = await makeExperienceFlow('a');
      for (const version of ['v1', 'v2']) await freeze(version);
      const [deleted] = await Promise.all([
        remove(`flows/${flow.id}`),
        ...['v1', 'v2'].map((version) => remove(`experience/versions/${version}`)),
      ]);
      expect(deleted.status).toBe(200);
      expect((await get(`flows/${flow.id}`)).status).toBe(404);
    }
    expect(await rowsOf('flow_versions')).toBe(0);
  });
});

describe('Snapshots of an experience', () => {
  it('are consistent when several are created concurrently with changes', async () => {
    const view = await makeView('a', '0');
    const flow = await makeExperienceFlow('a', '0');
    let goes = true;
    // Changes the view before the workflow, so the view has the same number as the workflow or one more. A change may
    // wait for a snapshot.
    const change = async (rest: string, body: object): Promise<void> => {
      while ((await patch(rest, body)).status !== 200);
    };
    const changes = (async () => {
      for (let i = 1; goes && i < 200; i++) {
        await change(`experience/views/${view.id}`, { body: String(i) });
        await change(`flows/${flow.id}`, { triggers: trigger(String(i)) });
      }
    })();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const answers = await Promise.all(names.map((name) => freeze(name)));
    goes = false;
    await changes;
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
    for (const name of names) {
      const shown = Number((await get(`experience/views/${view.id}?version=${name}`)).body.body);
      const [{ triggers }] = await flowsOf(name);
      expect([shown, shown - 1]).toContain(Number(triggers[0].key));
    }
  });

  it('take the same number of statements for 500 endpoints, 500 views and 200 workflows as for none', async () => {
    const count = statementCounter(test);
    const freezing = async (version: string) => {
      const { status, statements } = await count('POST', `${path}/experience/versions`, user.token, {
        version,
      });
      expect(status).toBe(201);
      return statements.length;
    };
    await freezing('warm');
    const ofNothing = await freezing('empty');
    await fill({ endpoints: 500, views: 500, flows: 200 });
    expect(await freezing('full')).toBe(ofNothing);
    expect(ofNothing).toBeLessThan(10);
    expect((await get('experience/views?version=full&perPage=1')).body.totalCount).toBe(500);
    expect((await get('experience/endpoints?version=full')).body.totalCount).toBe(500);
    expect((await get('flows/version?flowClass=experience&version=full&perPage=1')).body.totalCount).toBe(
      200,
    );
    const deleting = async (version: string) => {
      const own = `${path}/experience/versions/${version}`;
      const { status, statements } = await count('DELETE', own, user.token);
      expect(status).toBe(200);
      return statements.length;
    };
    expect(await deleting('full')).toBeLessThan((await deleting('empty')) + 3);
    expect(await rowsOf('flow_versions')).toBe(0);
  });
});

describe('The develop version', () => {
  it('can be replaced with the contents and settings of a version, except settings in the request', async () => {
    await patch('experience/versions/develop', {
      globals: [{ key: 'a', json: '1' }],
      endpointDefaultCors: true,
    });
    const [same, renamed, left] = [
      await makeView('a', 'x'),
      await makeView('b', 'y'),
      await makeView('c', 'z'),
    ];
    const flow = await makeExperienceFlow('kept', 'first');
    const lost = await makeExperienceFlow('lost');
    const endpoint = await makeEndpoint('/a');
    await freeze('v1', { description: 'First' });
    const endpoints = (await get('experience/endpoints')).body;
    const views = (await get('experience/views')).body;
    // Renames views in a cycle, so that restoring them conflicts with existing names.
    await patch(`experience/views/${renamed.id}`, { name: 'd' });
    await patch(`experience/views/${same.id}`, { name: 'b' });
    await patch(`experience/views/${renamed.id}`, { name: 'a' });
    await remove(`experience/views/${left.id}`);
    await makeView('c', 'new');
    await patch(`flows/${flow.id}`, { triggers: trigger('second'), name: 'renamed' });
    await remove(`flows/${lost.id}`);
    await patch(`experience/endpoints/${endpoint.id}`, { route: '/b' });
    await makeEndpoint('/a');
    const late = await makeExperienceFlow('late');
    await freeze('v2');
    const unkept = await makeExperienceFlow('unkept');
    await patch('experience/versions/develop', { globals: [], endpointDefaultCors: false });
    const { status, body } = await restore('v1', { endpointDefaultCors: false });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      version: 'develop',
      globals: [{ key: 'a', json: '1' }],
      endpointDefaultCors: false,
      lastUpdatedById: user.id,
    });
    expect(body).not.toHaveProperty('description');
    expect((await get('experience/views')).body).toEqual(views);
    expect((await get('experience/endpoints')).body).toEqual(endpoints);
    const flows = await flowsOf('develop');
    expect(flows.map(({ flowId, name, triggers }) => [flowId, name, triggers[0].key])).toEqual([
      [lost.id, 'lost', 'lost'],
      [flow.id, 'renamed', 'first'],
    ]);
    expect((await get(`flows/${late.id}`)).body.deletedInDevelop).toBe(true);
    expect((await get(`flows/${unkept.id}`)).status).toBe(404);
    expect(await flowsOf('v2')).toHaveLength(2);
    const summary = '?summaryInclude=experienceViewCount,flowCount';
    expect((await test.client.get(path + summary, auth())).body.summary).toEqual({
      experienceViewCount: 3,
      flowCount: 3,
    });
  });
});

/** Inserts endpoints, views and workflows of class `experience` as the API would store them. */
async function fill({
  endpoints,
  views,
  flows,
}: Record<'endpoints' | 'views' | 'flows', number>): Promise<void> {
  const seed = newId().slice(0, 18);
  await test.dataSource.query(
    `INSERT INTO experience_views (id, creation_date, last_updated, application_id, view_type, name, body, headers, view_tags)
     SELECT $2 || lpad(to_hex(n), 6, '0'), now(), now(), $1, 'page', 'view ' || n, repeat('x', 1000), '{}', '{}'
     FROM generate_series(1, $3::int) n`,
    [application.id, seed, views],
  );
  await test.dataSource.query(
    `INSERT INTO experience_endpoints (id, creation_date, last_updated, application_id, method, route, enabled, access,
       endpoint_tags, patterns, precedence)
     SELECT $2 || lpad(to_hex(n), 6, '0'), now(), now(), $1, 'get', '/' || n, true, 'public', '{}', ARRAY['/' || n], '/' || n
     FROM generate_series(1, $3::int) n`,
    [application.id, seed, endpoints],
  );
  await test.dataSource.query(
    `INSERT INTO flows (id, creation_date, last_updated, application_id, name, flow_class, enabled, triggers, nodes, globals)
     SELECT $2 || lpad(to_hex(n), 6, '0'), now(), now(), $1, 'flow ' || n, 'experience', true,
       jsonb_build_array(jsonb_build_object('type', 'virtualButton', 'key', n::text)), '[]', '[]'
     FROM generate_series(1, $3::int) n`,
    [application.id, seed, flows],
  );
}
