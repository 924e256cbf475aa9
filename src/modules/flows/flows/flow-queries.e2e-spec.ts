import fc from 'fast-check';
import {
  date,
  matches,
  nodes,
  optional,
  queriesOver,
  text,
  triggers,
  type Json,
  type Kinds,
} from '../../../../test/make/advanced-queries.js';
import { makeFlow, makeVersion } from '../../../../test/make/flows.js';
import { makeApplication, makeUser } from '../../../../test/make/make.js';
import type { QueryFields } from '../../../platform/lists/advanced-query.js';
import { newId } from '../../../platform/repositories/resource.js';
import { FLOW_BY_VERSION_QUERY, FLOW_QUERY, FLOW_VERSION_QUERY } from './flow-queries.js';
import { FlowVersion } from './flow-version.resource.js';
import { Flow } from './flow.resource.js';
import { FLOW_CLASSES } from '../../../workflows/graph/graph.js';
import { suite } from '../../../../test/setup/suite.js';

const { test } = suite();
let token: string;

beforeAll(async () => {
  ({ token } = await makeUser(test));
});

const encoded = (query: unknown) =>
  `query=${encodeURIComponent(typeof query === 'string' ? query : JSON.stringify(query))}`;

describe('Advanced query of workflows', () => {
  let path: string;
  let version: { id: string };
  const ids: Record<string, string> = {};
  const webhookId = newId();

  beforeAll(async () => {
    const { id: applicationId } = await makeApplication(test, token);
    path = `/applications/${applicationId}/flows`;
    const make = async (name: string, body: object) => {
      const flow = await makeFlow(test, token, applicationId, { name, ...body });
      ids[name] = flow.id;
      return flow;
    };
    const button = { type: 'virtualButton', key: 'press' };
    const debug = { id: 'log', type: 'DebugNode', config: { message: 'dry' } };
    const hook = await make('hook', {
      triggers: [{ type: 'webhook', key: webhookId }],
      nodes: [debug],
    });
    version = await makeVersion(test, token, hook, { version: '1.0', triggers: [button] });
    await makeVersion(test, token, hook, { version: '1.1', enabled: false });
    await test.client.patch(`${path}/${hook.id}`, { defaultVersionId: version.id }, { token });
    await make('off', { enabled: false, triggers: [{ type: 'timer', config: { seconds: 60 } }] });
    await make('edge', { flowClass: 'edge', minimumAgentVersion: '1.5.0', triggers: [button] });
    await make('node', {
      flowClass: 'customNode',
      customNodeSupports: ['edge'],
      minimumAgentVersion: '1.24.0',
      triggers: [{ type: 'customNodeStart', outputIds: [['end']] }],
      nodes: [{ id: 'end', type: 'CustomNodeCapNode' }],
    });
  });

  const ask = (query: unknown, more = '') => test.client.get(`${path}?${encoded(query)}${more}`, { token });
  const namesOf = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name);

  it.each<[object, string[]]>([
    [{}, ['edge', 'hook', 'node', 'off']],
    [{ name: { $startsWith: 'H', $ci: true } }, ['hook']],
    [{ flowClass: { $in: ['edge', 'cloud'] } }, ['edge', 'hook', 'off']],
    [{ enabled: false }, ['off']],
    [{ defaultVersion: null }, ['edge', 'node', 'off']],
    [{ defaultVersion: { $ne: null } }, ['hook']],
    [{ customNodeSupports: 'edge' }, ['node']],
    [{ customNodeSupports: { $eq: 'edge', $ci: true } }, ['node']],
    [{ customNodeSupports: null }, ['edge', 'hook', 'off']],
    [{ creationDate: { $lt: '2020-01-01' } }, []],
    [{ lastUpdated: { $gt: 0 } }, ['edge', 'hook', 'node', 'off']],
    [{ triggers: { type: 'webhook', key: webhookId } }, ['hook']],
    [{ triggers: { type: 'webhook', key: webhookId.toUpperCase() } }, ['hook']],
    [{ triggers: { type: 'timer', config: { seconds: 60 } } }, ['off']],
    [{ triggers: { type: 'timer', config: { seconds: 61 } } }, []],
    [{ triggers: { type: 'timer', config: { seconds: 60, cron: null } } }, ['off']],
    [{ triggers: { type: 'timer', config: { seconds: null } } }, []],
    [{ triggers: { $ne: { type: 'virtualButton' } } }, ['hook', 'node', 'off']],
    [{ nodes: { $eq: { type: 'DebugNode' } } }, ['hook']],
    [{ nodes: { type: 'DebugNode', config: { message: 'wet' } } }, []],
    [{ $or: [{ name: 'off' }, { nodes: { type: 'CustomNodeCapNode' } }] }, ['node', 'off']],
    [{ $nor: [{ flowClass: 'cloud' }] }, ['edge', 'node']],
    [{ $nor: [] }, []],
  ])('%j', async (query, names) => {
    const { status, body } = await ask(query);
    expect(status).toBe(200);
    expect(namesOf(body)).toEqual(names);
    expect(body.totalCount).toBe(names.length);
    expect(body).not.toHaveProperty('flowClass');
  });

  it('matches IDs', async () => {
    expect(namesOf((await ask({ id: ids.off!.toUpperCase() })).body)).toEqual(['off']);
    expect(namesOf((await ask({ defaultVersion: version.id })).body)).toEqual(['hook']);
    expect(namesOf((await ask({ id: { $in: [ids.edge, newId()] } })).body)).toEqual(['edge']);
  });

  it('overrides class, filter and trigger filter, and supports sorting and paging', async () => {
    const ignored = '&flowClass=embedded&filterField=name&filter=zzz&triggerFilter[0][type]=mqttTopic';
    const { body } = await ask({ enabled: true }, `${ignored}&sortDirection=desc&perPage=2&page=1`);
    expect(body).toMatchObject({ items: [{ name: 'edge' }], totalCount: 3, page: 1, perPage: 2 });
    expect(body).not.toHaveProperty('filter');
    const blank = await test.client.get(`${path}?query=&flowClass=edge`, { token });
    expect(namesOf(blank.body)).toEqual(['edge']);
  });

  it('matches the development version, or all versions with allVersions', async () => {
    const query = { triggers: { type: 'virtualButton' } };
    expect(namesOf((await ask(query)).body)).toEqual(['edge']);
    expect(namesOf((await ask(query, '&allVersions=true')).body)).toEqual(['edge', 'hook']);
    const both = { $and: [query, { nodes: { type: 'DebugNode' } }] };
    expect(namesOf((await ask(both, '&allVersions=true')).body)).toEqual([]);
    const without = await test.client.get(`${path}?allVersions=true&triggerFilter[0][type]=timer`, { token });
    expect(namesOf(without.body)).toEqual(['off']);
  });

  it.each<[object, string[]]>([
    [{}, ['1.0', '1.1']],
    [{ version: { $gt: '1.0' } }, ['1.1']],
    [{ enabled: false }, ['1.1']],
    [{ name: 'hook', flowClass: 'cloud' }, ['1.0', '1.1']],
    [{ name: { $ne: 'hook' } }, []],
    [{ customNodeSupports: { $ne: null } }, []],
    [{ triggers: { type: 'virtualButton', key: 'press' } }, ['1.0']],
    [{ nodes: { $ne: { type: 'DebugNode' } } }, ['1.0', '1.1']],
  ])('of the versions of a workflow: %j', async (query, versions) => {
    const { status, body } = await test.client.get(
      `${path}/${ids.hook}/versions?${encoded(query)}&filter=z`,
      {
        token,
      },
    );
    expect(status).toBe(200);
    expect(body.items.map((item: FlowVersion) => item.version)).toEqual(versions);
  });

  it('rejects attributes of other lists', async () => {
    for (const [suffix, query] of [
      ['?', { flowId: ids.hook }],
      ['?', { version: '1.0' }],
      ['/version?version=1.0&', { triggers: { type: 'timer' } }],
      ['/version?version=1.0&', { version: '1.0' }],
      [`/${ids.hook}/versions?`, { flowId: ids.hook }],
    ] as const)
      expect((await test.client.get(`${path}${suffix}${encoded(query)}`, { token })).body.message).toBe(
        `query.${Object.keys(query)[0]} is not an attribute that can be queried`,
      );
  });

  const SQL = "'); DROP TABLE flows; --";
  it.each<[string, object | string]>([
    ['query.colour', { colour: 'red' }],
    ['query.$where', { $where: 'true' }],
    ['query.__proto__', '{"__proto__":{"name":"a"}}'],
    ['query.name.$regex', { name: { $regex: '.*' } }],
    ['query.name.__proto__', '{"name":{"__proto__":"a"}}'],
    ['query.flowClass', { flowClass: 'gateway' }],
    ['query.defaultVersion', { defaultVersion: 'x' }],
    ['query.triggers.type', { triggers: {} }],
    ['query.triggers.key', { triggers: { type: 'webhook', key: SQL } }],
    ['query.nodes.key', { nodes: { type: 'DebugNode', key: 'a' } }],
    ['query.nodes.config.a', { nodes: { type: 'DebugNode', config: { a: {} } } }],
    ['__proto__', '{"nodes":{"type":"a","config":{"__proto__":1}}}'],
    [`query.${SQL}`, { [SQL]: 1 }],
    [`query.name.${SQL}`, { name: { [SQL]: 1 } }],
    [`query.triggers.${SQL}`, { triggers: { [SQL]: 1 } }],
    [`query.nodes.config.${SQL}`, { nodes: { type: 'a', config: { [SQL]: 1 } } }],
    ['query.$or.0.name', { $or: [{ name: 7 }] }],
    ['query.$or must have at most 100', { $or: Array(101).fill({}) }],
    ['query.triggers contains a NUL', { triggers: { type: 'a\0' } }],
    ['query must be valid JSON', '{'],
    ['query must be a JSON object', '[]'],
    ['query is nested more than 8 levels deep', `${'{"$and":['.repeat(400)}${']}'.repeat(400)}`],
  ])('is rejected with an error at %s', async (at, query) => {
    const { status, body } = await ask(query);
    expect({ status, type: body.type }).toEqual({ status: 400, type: 'Validation' });
    expect(body.message.startsWith(at)).toBe(true);
  });

  it('treats SQL as literal text', async () => {
    for (const query of [
      { name: SQL },
      { triggers: { type: SQL } },
      { nodes: { type: 'a', config: { a: SQL } } },
    ])
      expect((await ask(query, '&allVersions=1')).body).toMatchObject({ items: [], totalCount: 0 });
  });
});

describe('Random advanced queries', () => {
  const NAMED = text.filter((name) => name !== '');
  const own = { creationDate: date, lastUpdated: date, enabled: fc.boolean() };
  const graphs = { triggers, nodes };
  const flows = fc.sample(
    fc.record({
      ...own,
      ...graphs,
      name: NAMED,
      flowClass: fc.constantFrom(...FLOW_CLASSES),
      customNodeSupports: optional(fc.constantFrom('cloud', 'edge')),
      versions: fc.array(fc.record({ ...own, ...graphs }), { maxLength: 2 }),
      isPinned: fc.boolean(),
    }),
    { seed: 20_260_613, numRuns: 150 },
  );
  const rows = flows.map(({ versions, isPinned, ...row }, i) => {
    const id = `${i}`.padStart(24, '0');
    const made = versions.map((version, v) => ({
      ...version,
      id: `${i}`.padStart(23, 'e') + v,
      version: `${v}.0`,
      flowId: id,
      name: row.name,
      flowClass: row.flowClass,
    }));
    return { ...row, id, defaultVersion: (isPinned && made[0]?.id) || null, versions: made };
  });
  const ids = fc.constantFrom(...rows.slice(0, 3).map(({ id }) => id));
  const versionIds = fc.constantFrom(
    ...rows.flatMap(({ versions }) => versions.map(({ id }) => id)).slice(0, 3),
  );
  const values = {
    ...own,
    name: NAMED,
    id: fc.oneof(ids, versionIds),
    flowId: ids,
    flowClass: fc.constantFrom(...FLOW_CLASSES),
    defaultVersion: versionIds,
    customNodeSupports: fc.constantFrom('cloud', 'edge'),
    version: fc.constantFrom('0.0', '1.0', '2.0'),
  };
  let path: string;

  beforeAll(async () => {
    const { id: applicationId } = await makeApplication(test, token);
    path = `/applications/${applicationId}/flows`;
    const { manager } = test.dataSource;
    for (const { versions, defaultVersion, customNodeSupports, ...row } of rows) {
      const whole = { ...row, applicationId, globals: [], defaultVersionId: defaultVersion };
      await manager.insert(Flow, {
        ...whole,
        ...(customNodeSupports && { customNodeSupports: [customNodeSupports] }),
      } as object);
      for (const { name: _name, ...version } of versions)
        await manager.insert(FlowVersion, {
          ...version,
          applicationId,
          globals: [],
        } as object);
    }
  });

  const kindsOf = (fields: QueryFields): Kinds =>
    Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, kind]));

  /**
   * Bypasses the test client, which validates responses against the OpenAPI document; random rows do not conform to it.
   */
  async function find(where: string): Promise<string[]> {
    const url = `${test.client.url}${path}${where}&perPage=1000&sortField=id`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const body = (await answer.json()) as { items: { id: string }[]; totalCount: number };
    expect(answer.status).toBe(200);
    expect(body.totalCount).toBe(body.items.length);
    return body.items.map(({ id }) => id);
  }

  async function selectWhatTheyMean(
    fields: QueryFields,
    where: string,
    expected: (asking: Json, kinds: Kinds) => string[],
  ) {
    const kinds = kindsOf(fields);
    let telling = 0;
    await fc.assert(
      fc.asyncProperty(queriesOver(kinds, values), async (asking) => {
        fc.pre(encoded(asking).length < 8000);
        const found = await find(`${where}${encoded(asking)}`);
        expect(found).toEqual(expected(asking, kinds));
        if (found.length > 0 && found.length < rows.length) telling++;
      }),
      { numRuns: 250 },
    );
    expect(telling).toBeGreaterThan(30);
  }

  it('return the matching workflows', () =>
    selectWhatTheyMean(FLOW_QUERY.fields, '?', (asking, kinds) =>
      rows.filter((row) => matches(asking, row, kinds)).map(({ id }) => id),
    ));

  it('return workflows with any matching version', () =>
    selectWhatTheyMean(FLOW_QUERY.fields, '?allVersions=true&', (asking, kinds) =>
      rows
        .filter((row) =>
          [row, ...row.versions].some((graph) =>
            matches(asking, { ...row, triggers: graph.triggers, nodes: graph.nodes }, kinds),
          ),
        )
        .map(({ id }) => id),
    ));

  it('return matching versions with a name', () =>
    selectWhatTheyMean(FLOW_BY_VERSION_QUERY.fields, '/version?version=0.0&', (asking, kinds) =>
      rows
        .flatMap(({ versions }) => versions.slice(0, 1))
        .filter((row) => matches(asking, row, kinds))
        .map(({ id }) => id)
        .sort(),
    ));

  it('return matching development versions', () =>
    selectWhatTheyMean(FLOW_BY_VERSION_QUERY.fields, '/version?version=develop&', (asking, kinds) =>
      rows.filter((row) => matches(asking, { ...row, flowId: row.id }, kinds)).map(({ id }) => id),
    ));

  it('return matching versions of a workflow', async () => {
    const flow = rows.find(({ versions }) => versions.length === 2)!;
    await selectWhatTheyMean(FLOW_VERSION_QUERY.fields, `/${flow.id}/versions?`, (asking, kinds) =>
      flow.versions
        .filter((row) => matches(asking, { ...row, customNodeSupports: flow.customNodeSupports }, kinds))
        .map(({ id }) => id),
    );
  });
});
