import { bundleOf, DEPLOYMENT_ID, TALKATIVE } from '../../../test/suites/embedded/bundle.js';
import { DEVICE_ID, Host } from '../../../test/suites/embedded/host.js';
import type { FlowGraph, FlowTrigger } from '../graph/graph.js';
import { compile } from './compile.js';
import { moduleFor } from './device-facts.js';

/** Creates a workflow that sends its payload as a debug message when the trigger fires. */
function telling(trigger: Omit<FlowTrigger, 'outputIds'>): FlowGraph {
  return {
    triggers: [{ ...trigger, outputIds: [['tell']] }],
    nodes: [{ id: 'tell', type: 'DebugNode', config: { message: '{{flowName}}' } }],
  };
}

const listening = bundleOf(
  {
    Button: telling({ type: 'virtualButton', key: 'red', meta: { uiId: 'ui-red' } }),
    Command: telling({ type: 'deviceCommand', key: 'whatever' }),
    Exact: telling({ type: 'mqttTopic', key: 'plant/1/level' }),
    Plus: telling({ type: 'mqttTopic', key: 'plant/+/level' }),
    Hash: telling({ type: 'mqttTopic', key: 'plant/#' }),
    Direct: telling({ type: 'direct', key: 'button' }),
    Boot: {
      ...telling({ type: 'onBoot', key: '' }),
      globals: [{ key: 'own', json: '{"deep":[1,2]}' }],
    },
    Failing: {
      triggers: [
        { type: 'mqttTopic', key: 'fail', meta: { uiId: 'ui-fail' }, outputIds: [['first', 'more']] },
      ],
      nodes: [
        { id: 'first', type: 'AnnotationNode', config: {}, outputIds: [['throw']] },
        { id: 'throw', type: 'ThrowErrorNode', config: { messageTemplate: 'no {{data}}' } },
        { id: 'more', type: 'DebugNode', config: { message: 'never' } },
      ],
    },
    Paths: {
      triggers: [{ type: 'mqttTopic', key: 'paths', outputIds: [['a', 'b']] }],
      nodes: [
        { id: 'a', type: 'DebugNode', config: { message: 'a' }, outputIds: [['a1', 'c']] },
        { id: 'a1', type: 'DebugNode', config: { message: 'a1' } },
        { id: 'b', type: 'DebugNode', config: { message: 'b' }, outputIds: [['c']] },
        { id: 'c', type: 'DebugNode', config: { message: 'c' } },
      ],
    },
    Spying: telling({ type: 'mqttTopic', key: '+/+/toAgent/#' }),
  },
  { globals: [{ key: 'all', json: '1' }] },
);

let listens: Uint8Array;

beforeAll(async () => {
  listens = moduleFor(listening, (await compile(listening, TALKATIVE)).module);
}, 120_000);

/** Creates a host whose startup run has finished. */
function started(): Host {
  const host = Host.started(listens);
  host.loop();
  host.sent.length = 0;
  return host;
}

const messages = (host: Host) => host.debugged.map(({ message }) => message as string);

describe('triggers', () => {
  it('runs startup triggers in the first tick, with a complete payload', () => {
    const host = Host.started(listens);
    host.exports.eea_set_connection_status!(1);
    expect(host.sent).toEqual([]);
    expect(host.loop()).toBe(0);
    expect(host.debugged).toEqual([
      {
        flowId: '000000000000000000000007',
        flowVersion: 'v1',
        message: 'Boot',
        payload: {
          data: {},
          deploymentId: DEPLOYMENT_ID,
          deviceId: DEVICE_ID,
          flowId: '000000000000000000000007',
          flowName: 'Boot',
          flowVersion: 'v1',
          globals: { all: 1, own: { deep: [1, 2] } },
          isConnectedToLosant: true,
          time: host.time,
          triggerId: 'onBoot',
          triggerType: 'onBoot',
          working: {},
        },
        prevNodes: [],
        sourceNode: 'tell',
        time: host.time,
        triggerUiIds: [''],
      },
    ]);
    expect(host.sent[0]!.qos).toBe(0);
  });

  it.each([
    ['an object', { name: 'set', payload: { to: 3 }, time: 5 }, { name: 'set', payload: { to: 3 }, time: 5 }],
    [
      'a time of extended JSON',
      { name: 'a', time: { $date: '2026-11-22T15:45:01.250Z' } },
      { name: 'a', time: 1795362301250 },
    ],
    ['a time of ISO 8601', { name: 'a', time: '1969-12-31T23:59:59Z' }, { name: 'a', time: -1000 }],
  ])('accepts a command with %s', (_, payload, data) => {
    const host = started();
    expect(host.receiveOwn('command', payload)).toBe(0);
    host.loop();
    expect(host.debugged).toMatchObject([
      { payload: { data, triggerId: 'deviceCommand', triggerType: 'deviceCommand' } },
    ]);
  });

  it('matches virtual buttons by key', () => {
    const host = started();
    expect(host.receiveOwn('toAgent/virtualButton', { key: 'red', payload: { n: 1 } })).toBe(0);
    expect(host.receiveOwn('toAgent/virtualButton', { key: 'blue' })).toBe(18);
    expect(host.receiveOwn('toAgent/virtualButton', 'no JSON')).toBe(1);
    host.settle();
    expect(host.debugged).toMatchObject([
      {
        payload: { data: { n: 1 }, triggerId: 'red', triggerType: 'virtualButton' },
        triggerUiIds: ['ui-red'],
      },
    ]);
  });

  it.each([
    ['plant/1/level', ['Exact', 'Plus', 'Hash']],
    ['plant/2/level', ['Plus', 'Hash']],
    ['plant//level', ['Plus', 'Hash']],
    ['plant', ['Hash']],
    ['plant/1/2/3', ['Hash']],
    ['plants', []],
    ['plant/1/level/', ['Hash']],
    ['', []],
  ])('matches the topic %s by the rules of MQTT', (topic, names) => {
    const host = started();
    expect(host.receive(topic, '{"as": "text"}')).toBe(names.length > 0 ? 0 : 18);
    host.settle();
    expect(messages(host)).toEqual(names);
    for (const { payload } of host.debugged)
      expect(payload).toMatchObject({ data: '{"as": "text"}', triggerId: topic, triggerType: 'mqttTopic' });
  });

  it('ignores platform topics, whatever the topic filter', () => {
    const host = started();
    expect(host.receiveOwn('toAgent/flows', 'a module')).toBe(18);
    expect(host.receive('fieldwright/other/toAgent/flows', '')).toBe(18);
    expect(host.receive('others/1/toAgent/flows', '')).toBe(0);
    host.settle();
    expect(messages(host)).toEqual(['Spying']);
  });

  it.each([[{ deep: [1] }], [[1, 2]], ['"text"'], ['3.5'], ['null'], ['false']])(
    'accepts any JSON from a direct trigger, such as %j',
    (payload) => {
      const host = started();
      expect(host.direct('button', payload)).toBe(0);
      expect(host.direct('other', payload)).toBe(18);
      host.settle();
      const data: unknown = typeof payload === 'string' ? JSON.parse(payload) : payload;
      expect(host.debugged).toMatchObject([
        { payload: { data, triggerId: 'button', triggerType: 'direct' } },
      ]);
    },
  );

  it('starts no run and reports an error if the message is not valid JSON', () => {
    const host = started();
    expect(host.direct('button', '{"open":')).toBe(0);
    expect(host.receiveOwn('command', '[1]')).toBe(0);
    expect(host.settle()).toBe(0);
    expect(host.debugged).toMatchObject([
      { error: { name: 'InvalidJsonError' }, nodeId: null, payload: { triggerId: 'button' } },
      { error: { name: 'InvalidJsonError' }, nodeId: null, payload: { triggerId: 'deviceCommand' } },
    ]);
  });
});

describe('runs', () => {
  it('have the time given to the loop, also if the host reports none', () => {
    const host = started();
    for (const tick of [0, 1, 8.64e15]) {
      host.time = 0;
      host.direct('button', '');
      host.exports.eea_loop!(BigInt(tick));
      expect(host.debugged.at(-1)).toMatchObject({ time: 0, payload: { time: tick } });
    }
    host.answers.eea_get_time = 1;
    host.direct('button', '');
    host.exports.eea_loop!(5n);
    expect(host.debugged.at(-1)).toMatchObject({ time: 0, payload: { time: 5 } });
  });

  it('know no time outside of the payload if the host reports an invalid one', () => {
    const host = started();
    for (const [time, known] of [
      [8.64e15, 8.64e15],
      [8.64e15 + 1, 0],
      [2 ** 63, 0],
    ] as const) {
      host.time = time;
      host.direct('button', '');
      host.exports.eea_loop!(0n);
      expect(host.debugged.at(-1)).toMatchObject({ time: known, payload: { time: 0 } });
    }
  });

  it('execute one path after the other, each with its own payload', () => {
    const host = started();
    host.receive('paths', '');
    expect(host.loop()).toBe(0);
    expect(messages(host)).toEqual(['a', 'a1', 'c', 'b', 'c']);
    expect(host.debugged.map(({ prevNodes }) => prevNodes as string[])).toEqual([
      [],
      ['a'],
      ['a'],
      [],
      ['b'],
    ]);
  });

  it('end with all their paths and report the error when they fail', () => {
    const host = started();
    host.exports.eea_config_set_trace_level!(1);
    host.receive('fail', 'luck');
    expect(host.loop()).toBe(0);
    expect(host.debugged).toMatchObject([
      {
        error: { name: 'Error', message: 'no luck' },
        message: 'no luck',
        nodeId: 'throw',
        sourceNode: 'throw',
        prevNodes: ['first'],
        triggerUiIds: ['ui-fail'],
        payload: { data: 'luck' },
      },
    ]);
    expect(host.traced).toEqual([{ level: 1, text: 'Failing, node throw: Error: no luck' }]);
  });

  it('fail when the host cannot send, and the loop returns its code', () => {
    const host = started();
    host.answers.eea_send_message = 77;
    host.receive('paths', '');
    expect(host.loop()).toBe(77);
    expect(host.loop()).toBe(0);
    expect(host.sent).toEqual([]);
  });

  it('limit debug messages and traces to the level set by the host', () => {
    const host = started();
    const tell = () => {
      host.sent.length = host.traced.length = 0;
      host.receive('plant', '');
      host.loop();
      return [host.sent.length, host.traced.length];
    };
    expect(tell()).toEqual([1, 0]);
    expect(host.exports.eea_config_set_trace_level!(1)).toBe(0);
    expect(tell()).toEqual([1, 0]);
    expect(host.exports.eea_config_set_trace_level!(99)).toBe(0);
    expect(tell()).toEqual([1, 1]);
    expect(host.exports.eea_config_set_debug_enabled!(0)).toBe(0);
    expect(tell()).toEqual([0, 1]);
    expect(host.exports.eea_config_set_trace_level!(0)).toBe(0);
    expect(tell()).toEqual([0, 0]);
  });
});

describe('the interface', () => {
  it('starts once and rejects calls before the start and after the shutdown', () => {
    const host = new Host(listens);
    const { eea_init, eea_loop, eea_shutdown, eea_message_received, eea_direct_trigger } = host.exports;
    expect([eea_loop!(0n), eea_shutdown!(), eea_message_received!(0, 0), eea_direct_trigger!(0, 0)]).toEqual([
      17, 17, 18, 18,
    ]);
    expect(host.called).toEqual([]);
    expect(eea_init!()).toBe(0);
    expect(host.called).toEqual(['eea_set_message_buffers', 'eea_get_device_id']);
    expect(eea_init!()).toBe(16);
    expect(eea_shutdown!()).toBe(0);
    expect([eea_loop!(0n), eea_shutdown!()]).toEqual([17, 17]);
    expect([host.receive('plant', ''), host.direct('button', ''), host.receive('x', '')]).toEqual([
      17, 17, 18,
    ]);
    expect(eea_init!()).toBe(0);
    expect(host.loop()).toBe(0);
    expect(messages(host)).toEqual(['Boot']);
  });

  it('fails to start if a function of the host fails', () => {
    for (const name of ['eea_set_message_buffers', 'eea_get_device_id'] as const) {
      const host = new Host(listens);
      host.answers[name] = 5;
      expect(host.exports.eea_init!()).toBe(5);
      expect(host.loop()).toBe(17);
      delete host.answers[name];
      expect(host.exports.eea_init!()).toBe(0);
    }
  });

  it('has buffers of 256 and 4,096 bytes, or of the sizes set by the host', () => {
    const host = new Host(listens);
    host.exports.eea_init!();
    expect(host.buffers).toMatchObject({ topicSize: 256, payloadSize: 4096 });
    host.loop();
    expect(host.exports.eea_config_set_message_buffer_lengths!(16, 100_000)).toBe(0);
    expect(host.buffers).toMatchObject({ topicSize: 16, payloadSize: 100_000 });
    const long = 'é'.repeat(40_000);
    expect(host.receive('plant', long)).toBe(0);
    host.loop();
    expect(host.debugged.at(-1)).toMatchObject({ payload: { data: long } });
    host.answers.eea_set_message_buffers = 9;
    expect(host.exports.eea_config_set_message_buffer_lengths!(16, 16)).toBe(9);
  });

  it('rejects messages longer than its buffers', () => {
    const host = started();
    const { eea_message_received, eea_direct_trigger } = host.exports;
    for (const receive of [eea_message_received!, eea_direct_trigger!]) {
      expect(receive(257, 0)).toBe(1);
      expect(receive(1, 4097)).toBe(1);
      expect(receive(-1, 0)).toBe(1);
      expect(receive(0, -1)).toBe(1);
    }
    expect(host.receive('plant', 'x'.repeat(4096))).toBe(0);
    expect(host.settle()).toBe(0);
  });

  it('limits the queue to its configured size', () => {
    const host = started();
    expect(host.exports.eea_config_set_queue_size!(100)).toBe(0);
    expect(host.receive('paths', '12345')).toBe(0);
    expect(host.receive('paths', '12345')).toBe(0);
    expect(host.receive('paths', '')).toBe(1);
    host.settle();
    expect(messages(host)).toHaveLength(10);
    expect(host.receive('paths', '')).toBe(0);
  });

  it('executes startup triggers first, however small the queue is', () => {
    const host = new Host(listens);
    host.exports.eea_config_set_queue_size!(0);
    host.exports.eea_init!();
    expect(host.receive('plant', '')).toBe(1);
    host.loop();
    expect(messages(host)).toEqual(['Boot']);
  });

  it('is not reentrant and loses no data while a function of the host is called', () => {
    const host = started();
    const codes: number[] = [];
    host.onSend = () => {
      for (let i = 0; i < 50; i++) codes.push(host.receive('plant', 'x'.repeat(1000)));
      codes.push(host.exports.eea_loop!(BigInt(host.time)));
    };
    host.receive('paths', 'kept');
    expect(host.loop()).toBe(0);
    expect(host.debugged.map(({ payload }) => payload.data as string)).toEqual(Array(5).fill('kept'));
    expect(new Set(codes)).toEqual(new Set([0, 1]));
  });

  it('rejects a storage size that is not positive', () => {
    const { exports } = new Host(listens);
    expect(exports.eea_config_set_storage_size!(0)).toBe(40);
    expect(exports.eea_config_set_storage_size!(-1)).toBe(40);
    expect(exports.eea_config_set_storage_size!(1)).toBe(0);
  });

  it('neither reads nor writes storage if no node uses it', () => {
    const host = new Host(listens, { stored: '{}' });
    host.exports.eea_config_set_storage_interval!(1);
    host.exports.eea_init!();
    host.loop();
    host.loop(1000);
    host.exports.eea_shutdown!();
    expect(host.called.filter((name) => name.startsWith('eea_storage'))).toEqual([]);
  });
});
