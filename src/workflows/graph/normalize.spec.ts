import fc from 'fast-check';
import type { FlowGraph, FlowTrigger } from './graph.js';
import { ID, OTHER_ID, SAMPLE, SAMPLES } from '../../../test/make/graphs.js';
import { normalizeGraph } from './normalize.js';
import { TRIGGER_TYPES } from '../triggers/trigger-types.js';

const UPPER = ID.toUpperCase();
const NANOID = /^[\w-]{21}$/;

const keyOf = (trigger: FlowTrigger) => normalizeGraph({ triggers: [trigger] }).triggers[0]!.key;

describe('normalizeGraph', () => {
  it.each(['timer', 'virtualButton', 'flowError', 'direct', 'serial', 'onSync', 'redis', 'onConnect'])(
    'generates a key for a %s without one and keeps existing keys',
    (type) => {
      const { triggers } = normalizeGraph({ triggers: [{ type }, { type }, { type, key: '' }] });
      const keys = triggers.map((trigger: FlowTrigger) => trigger.key!);
      for (const key of keys) expect(key).toMatch(NANOID);
      expect(new Set(keys).size).toBe(3);
      expect(keyOf({ type, key: 'Mine' })).toBe('Mine');
    },
  );

  it.each([
    ['onBoot', 'onBoot'],
    ['deviceCommand', 'deviceCommand'],
    ['request', 'request'],
    ['deviceCreate', '/'],
    ['inboundEmail', 'default'],
  ])('sets the key of a %s without one to %s and keeps existing keys', (type, key) => {
    expect(keyOf({ type })).toBe(key);
    expect(keyOf({ type, key: '' })).toBe(key);
    expect(keyOf({ type, key: 'Mine' })).toBe('Mine');
  });

  it('sets the fixed key of the start of a custom node', () => {
    for (const key of [undefined, 'Mine'])
      expect(keyOf({ type: 'customNodeStart', key })).toBe('customNodeStart');
  });

  it('converts IDs to lower case, and nothing else', () => {
    expect(keyOf({ type: 'webhook', key: UPPER })).toBe(ID);
    expect(keyOf({ type: 'mqttTopic', key: UPPER })).toBe(UPPER);
    expect(keyOf({ type: 'deviceTag', key: `Site/${UPPER}` })).toBe(`Site/${UPPER}`);
    const graph: FlowGraph = {
      triggers: [{ type: 'virtualButton', key: 'K', meta: { deviceId: UPPER, label: UPPER } }],
      nodes: [
        {
          id: UPPER,
          type: 'CustomNodeExecuteNode',
          config: { customNodeId: UPPER, note: UPPER, deviceIds: [UPPER, '{{data.Id}}'] },
          meta: { label: UPPER },
          outputIds: [[UPPER]],
        },
      ],
    };
    expect(normalizeGraph(graph)).toEqual({
      triggers: [{ type: 'virtualButton', key: 'K', meta: { deviceId: ID, label: UPPER } }],
      nodes: [
        {
          id: UPPER,
          type: 'CustomNodeExecuteNode',
          config: { customNodeId: ID, note: UPPER, deviceIds: [ID, '{{data.Id}}'] },
          meta: { label: UPPER },
          outputIds: [[UPPER]],
        },
      ],
    });
  });

  it('does not add unnecessary arrays, keys or IDs', () => {
    expect(normalizeGraph({})).toEqual({});
    const graph = { name: 'Alarm', nodes: [{ type: 'DebugNode' }], triggers: [{ type: 'webhook' }] };
    expect(normalizeGraph(graph)).toEqual(graph);
    expect(Object.keys(normalizeGraph(graph).triggers[0]!)).toEqual(['type']);
  });

  it.each(SAMPLES)('changes only the keys of %s, and is idempotent', (_name, _class, graph) => {
    const before = structuredClone(graph);
    const once = normalizeGraph(graph);
    expect(graph).toEqual(before);
    const withoutKeys = ({ triggers, ...rest }: FlowGraph) => ({
      ...rest,
      triggers: triggers?.map(({ key: _key, ...trigger }) => trigger),
    });
    expect(withoutKeys(once)).toEqual(withoutKeys(graph));
    expect(normalizeGraph(once)).toEqual(once);
  });

  it('is idempotent for random graphs', () => {
    const ids = fc.constantFrom(ID, UPPER, OTHER_ID, '{{data.id}}', '', 'Text');
    const graphs = fc.record(
      {
        triggers: fc.array(
          fc.record(
            {
              type: fc.constantFrom(...Object.keys(TRIGGER_TYPES), 'unknown', 'constructor'),
              key: fc.oneof(ids, fc.string()),
              meta: fc.dictionary(fc.constantFrom('deviceId', 'label'), ids),
            },
            { requiredKeys: ['type'] },
          ),
        ),
        nodes: fc.array(
          fc.record(
            {
              type: fc.constantFrom('GetDeviceNode', 'FutureNode'),
              config: fc.object({
                key: fc.constantFrom('deviceId', 'idTemplate', 'deviceIds', 'a'),
                values: [ids],
              }),
            },
            { requiredKeys: ['type'] },
          ),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(graphs, (graph) => {
        const once = normalizeGraph(graph);
        expect(normalizeGraph(once)).toEqual(once);
      }),
    );
  });

  it('sets the keys of device triggers', () => {
    expect(normalizeGraph(SAMPLE.embedded).triggers!.map(({ key }) => key)).toEqual([
      'BpXlF3dK6GvM0nE4ZyUxo',
      'onBoot',
      'button-a',
      'deviceCommand',
      'pumps/all',
      expect.stringMatching(NANOID),
    ]);
  });
});
