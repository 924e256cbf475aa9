import fc from 'fast-check';
import type { FlowGraph, FlowNode } from './graph.js';
import { ID, OTHER_ID, SAMPLE, SAMPLES } from '../../../test/make/graphs.js';
import { keyedResource, referencesOf, rewire } from './references.js';

const UPPER = ID.toUpperCase();
const NONE = {
  customNodes: [],
  dataTables: [],
  deviceRecipes: [],
  devices: [],
  endpoints: [],
  flows: [],
  integrations: [],
  notebooks: [],
  resourceJobs: [],
  webhooks: [],
};
const named = (config: object, type = 'FutureNode') =>
  referencesOf({ nodes: [{ type, config: { ...config } }] });

describe('referencesOf', () => {
  it('finds the resources that workflows refer to', () => {
    expect(referencesOf({})).toEqual(NONE);
    expect(referencesOf(SAMPLE.alarm)).toEqual({
      ...NONE,
      webhooks: [ID],
      dataTables: [OTHER_ID],
      devices: [ID],
      flows: [ID],
    });
    expect(referencesOf(SAMPLE.edge)).toEqual({
      ...NONE,
      customNodes: [{ id: OTHER_ID, version: 'v2' }],
    });
    expect(referencesOf(SAMPLE.experience)).toEqual({ ...NONE, endpoints: [OTHER_ID] });
    expect(referencesOf(SAMPLE.embedded)).toEqual(NONE);
  });

  it.each([
    ['dataTable', 'dataTables'],
    ['deviceId', 'devices'],
    ['deviceIdConnect', 'devices'],
    ['deviceIdDisconnect', 'devices'],
    ['deviceIdInactivity', 'devices'],
    ['endpoint', 'endpoints'],
    ['integration', 'integrations'],
    ['notebook', 'notebooks'],
    ['resourceJobComplete', 'resourceJobs'],
    ['resourceJobIteration', 'resourceJobs'],
    ['resourceJobIterationTimeout', 'resourceJobs'],
    ['webhook', 'webhooks'],
  ])('identifies the key of a %s as an ID of %s', (type, resource) => {
    expect(keyedResource(type)).toBe(resource);
    expect(referencesOf({ triggers: [{ type, key: UPPER }, { type, key: ID }, { type }] })).toEqual({
      ...NONE,
      [resource]: [ID],
    });
  });

  it('treats no other keys as IDs', () => {
    for (const type of ['mqttTopic', 'deviceTag', 'timer', 'virtualButton', 'nothing', 'constructor']) {
      expect(keyedResource(type)).toBeUndefined();
      expect(referencesOf({ triggers: [{ type, key: ID }] })).toEqual(NONE);
    }
    expect(referencesOf({ triggers: [{ type: 'endpoint', key: '0'.repeat(24) }] })).toEqual(NONE);
  });

  it('finds the device of a virtual button', () => {
    const button = (deviceId: unknown) =>
      referencesOf({ triggers: [{ type: 'virtualButton', meta: { deviceId } }] }).devices;
    expect(button(UPPER)).toEqual([ID]);
    expect(button('')).toEqual([]);
    expect(button(null)).toEqual([]);
  });

  it('finds IDs in known places of configurations at any depth, and ignores templates', () => {
    expect(named({ deviceIds: [ID, OTHER_ID, '{{data.id}}', ID] }).devices).toEqual([ID, OTHER_ID]);
    expect(named({ flowsTemplate: [{ flowIdTemplate: ID }, { flowIdTemplate: '{{a}}' }] }).flows).toEqual([
      ID,
    ]);
    expect(named({ note: ID, constructor: ID, deviceId: `x${ID}` })).toEqual(NONE);
    expect(named({ deviceId: { template: ID } })).toEqual(NONE);
  });

  it('recognizes device IDs in properties named `id`', () => {
    expect(named({ idTemplate: ID }, 'GetDeviceNode').devices).toEqual([ID]);
    expect(named({ idTemplate: ID, findMethod: 'id' }, 'GetDeviceNode').devices).toEqual([ID]);
    expect(named({ idTemplate: ID, findMethod: 'experienceGroupId' }, 'GetDeviceNode')).toEqual(NONE);
    expect(named({ idTemplate: ID }, 'UpdateDeviceNode').devices).toEqual([ID]);
    expect(named({ idTemplate: ID }, 'EventGetNode')).toEqual(NONE);
  });

  it('returns each version of a custom node once', () => {
    const execute = (customNodeId: string, customNodeVersion?: unknown): FlowNode => ({
      type: 'CustomNodeExecuteNode',
      config: { customNodeId, customNodeVersion },
    });
    const nodes = [
      execute(ID, 'v1'),
      execute(UPPER, 'v1'),
      execute(ID, 'develop'),
      execute(ID),
      execute(ID, ''),
      execute(OTHER_ID, 'v1'),
    ];
    expect(referencesOf({ nodes }).customNodes).toEqual([
      { id: ID, version: 'v1' },
      { id: ID, version: 'develop' },
      { id: ID },
      { id: OTHER_ID, version: 'v1' },
    ]);
  });
});

describe('rewire', () => {
  const NEW = 'aaaaaaaaaaaaaaaaaaaaaaaa';
  const map = new Map([[ID, NEW]]);

  it('replaces whole texts, and whole segments between slashes, in keys, configurations and the meta of nodes', () => {
    const graph: FlowGraph = {
      triggers: [
        { type: 'webhook', key: ID },
        { type: 'mqttTopic', key: `pumps/${ID}/state` },
        { type: 'deviceId', key: UPPER },
        { type: 'virtualButton', key: 'k', meta: { deviceId: ID, label: ID } },
      ],
      nodes: [
        {
          id: ID,
          type: 'FutureNode',
          config: { a: ID, b: [{ c: `/applications/${ID}` }, 1, null, true], [ID]: 'key' },
          meta: { label: ID, links: [{ flow: `/flows/${ID}` }], x: 1 },
          outputIds: [[ID]],
        },
      ],
      globals: [{ key: 'id', json: `"${ID}"` }],
    };
    expect(rewire(graph, map)).toEqual({
      triggers: [
        { type: 'webhook', key: NEW },
        { type: 'mqttTopic', key: `pumps/${NEW}/state` },
        { type: 'deviceId', key: NEW },
        { type: 'virtualButton', key: 'k', meta: { deviceId: NEW, label: ID } },
      ],
      nodes: [
        {
          id: ID,
          type: 'FutureNode',
          config: { a: NEW, b: [{ c: `/applications/${NEW}` }, 1, null, true], [ID]: 'key' },
          meta: { label: NEW, links: [{ flow: `/flows/${NEW}` }], x: 1 },
          outputIds: [[ID]],
        },
      ],
      globals: [{ key: 'id', json: `"${ID}"` }],
    });
  });

  it.each([`x${ID}`, `${ID}?a=1`, `{"deviceId":"${ID}"}`, `a-${ID}/b`, `{{format '${ID}'}}`])(
    'does not change %s, which only contains the ID',
    (text) => {
      const graph = {
        triggers: [{ type: 'mqttTopic', key: text }],
        nodes: [{ type: 'A', config: { text } }],
      };
      expect(rewire(graph, map)).toEqual(graph);
    },
  );

  it('replaces IDs that map to each other simultaneously', () => {
    const swap = new Map([
      [ID, OTHER_ID],
      [OTHER_ID, ID],
    ]);
    const graph = { nodes: [{ type: 'A', config: { a: ID, b: OTHER_ID } }] };
    expect(rewire(graph, swap).nodes[0]!.config).toEqual({ a: OTHER_ID, b: ID });
  });

  it.each(SAMPLES)('without IDs does not change %s, and never mutates its input', (_name, _class, graph) => {
    const before = structuredClone(graph);
    expect(rewire(graph, new Map())).toEqual(before);
    rewire(graph, map);
    expect(graph).toEqual(before);
  });

  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 24, maxLength: 24 });
  /** Maps of old IDs to new ones; no ID is both. */
  const maps = fc
    .uniqueArray(hex, { minLength: 2, maxLength: 20 })
    .map((ids) => ids.slice(0, ids.length & ~1))
    .map((ids) => ids.flatMap((id, i) => (i % 2 === 0 ? [[id, ids[i + 1]!] as const] : [])));

  it('is reversed by the inverse map', () => {
    const cases = maps.chain((pairs) => {
      const texts = fc.oneof(
        fc.constantFrom(...pairs.map(([from]) => from)),
        fc.constantFrom(...pairs.map(([from]) => `a/${from}`)),
        fc.string(),
      );
      const node = fc.record({
        type: fc.string(),
        config: fc.object({ values: [texts, fc.integer(), fc.constant(null)] }),
      });
      const trigger = fc.record({ type: fc.constantFrom('webhook', 'mqttTopic'), key: texts });
      const graph = fc.record({ triggers: fc.array(trigger), nodes: fc.array(node) });
      return fc.tuple(fc.constant(pairs), graph);
    });
    fc.assert(
      fc.property(cases, ([pairs, graph]) => {
        const there = rewire(graph, new Map(pairs));
        for (const [from] of pairs) expect(JSON.stringify(there)).not.toContain(`"${from}"`);
        const back = rewire(there, new Map(pairs.map(([from, to]) => [to, from])));
        expect(back).toEqual(graph);
      }),
    );
  });

  it('updates the references of a graph', () => {
    const devices = ['1'.repeat(24), '2'.repeat(24)];
    const graph = {
      triggers: [{ type: 'deviceId', key: devices[0]! }],
      nodes: [{ type: 'A', config: { deviceIds: [devices[1]] } }],
    };
    const to = new Map(devices.map((id, i) => [id, String(i + 3).repeat(24)]));
    expect(referencesOf(rewire(graph, to)).devices).toEqual(['3'.repeat(24), '4'.repeat(24)]);
  });
});

it('does not traverse configurations beyond the maximum depth', () => {
  let config: Record<string, unknown> = { deviceId: ID };
  for (let i = 0; i < 100_000; i++) config = { config };
  const graph = { nodes: [{ type: 'A', config }] };
  expect(referencesOf(graph).devices).toEqual([]);
  expect(() => rewire(graph, new Map([[ID, OTHER_ID]]))).not.toThrow();
});
