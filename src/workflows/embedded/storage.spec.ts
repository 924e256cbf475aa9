import { bundleOf, TALKATIVE } from '../../../test/suites/embedded/bundle.js';
import { Host } from '../../../test/suites/embedded/host.js';
import { compile } from './compile.js';

const storing = bundleOf({
  Timers: {
    triggers: [
      { type: 'timer', key: 'fast', config: { seconds: 0.25 }, outputIds: [['tell']] },
      { type: 'timer', key: 'slow', config: { seconds: 1 }, outputIds: [['tell']] },
      { type: 'timer', key: 'once', config: { seconds: 1e300 }, outputIds: [['tell']] },
    ],
    nodes: [{ id: 'tell', type: 'DebugNode', config: { message: '{{triggerId}}' } }],
  },
  Store: {
    triggers: [{ type: 'mqttTopic', key: 'store', outputIds: [['store']] }],
    nodes: [
      {
        id: 'store',
        type: 'StoreValueNode',
        config: { keyName: 'last', valueType: 'template', value: '{{data}}' },
      },
    ],
  },
  Load: {
    triggers: [{ type: 'mqttTopic', key: 'load', outputIds: [['load']] }],
    nodes: [
      {
        id: 'load',
        type: 'GetValueNode',
        config: { keyName: 'last', valuePath: 'working.last' },
        outputIds: [['tell']],
      },
      { id: 'tell', type: 'DebugNode', config: { message: '{{working.last}}' } },
    ],
  },
});

let stores: Uint8Array;

beforeAll(async () => {
  stores = (await compile(storing, TALKATIVE)).module;
}, 120_000);

const messages = (host: Host) => host.debugged.map(({ message }) => message as string);

describe('timers', () => {
  it('fire one by one in the first tick, then after each period, without making up for missed ones', () => {
    const host = Host.started(stores);
    const ticks: [number, string[]][] = [
      [0, ['fast']],
      [0, ['slow']],
      [0, ['once']],
      [249, []],
      [1, ['fast']],
      [249, []],
      [2000, ['fast']],
      [0, ['slow']],
      [0, []],
      [249, []],
      [1, ['fast']],
    ];
    for (const [milliseconds, fired] of ticks) {
      host.sent.length = 0;
      expect(host.loop(milliseconds)).toBe(0);
      expect(messages(host)).toEqual(fired);
    }
  });

  it('restart their periods when the clock is set back', () => {
    const host = Host.started(stores);
    host.settle();
    host.sent.length = 0;
    host.loop(-1_000_000);
    host.loop(249);
    expect(messages(host)).toEqual([]);
    host.loop(1);
    expect(messages(host)).toEqual(['fast']);
  });

  it('alternate with messages', () => {
    const host = Host.started(stores);
    host.settle();
    host.sent.length = 0;
    for (let i = 0; i < 3; i++) host.receive('load', '');
    for (let i = 0; i < 5; i++) host.loop(250);
    expect(messages(host)).toHaveLength(5);
    expect(messages(host).filter((message) => message === '')).toHaveLength(2);
  });
});

describe('storage', () => {
  const STORE = '000000000000000000000002';
  const LOAD = '000000000000000000000003';

  /** Creates a device whose timers have fired, with storage saved at this interval. */
  function keeping(interval: number, stored?: string): Host {
    const host = new Host(stores, { stored });
    host.exports.eea_config_set_storage_interval!(interval);
    expect(host.exports.eea_init!()).toBe(0);
    host.settle();
    host.sent.length = host.called.length = 0;
    return host;
  }

  /** Passes a message and loops without a tick that would fire a timer. */
  function pass(host: Host, topic: string, payload = ''): number {
    host.receive(topic, payload);
    return host.loop();
  }

  it('is saved once per interval if it has changed, and on shutdown', () => {
    const host = keeping(100);
    expect(pass(host, 'store', 'one')).toBe(0);
    expect(host.stored).toBeUndefined();
    host.loop(100);
    expect(JSON.parse(host.stored!)).toEqual({ [STORE]: { last: 'one' } });
    host.called.length = 0;
    host.loop(100);
    expect(host.called).toEqual([]);
    pass(host, 'store', 'two');
    expect(host.exports.eea_shutdown!()).toBe(0);
    expect(JSON.parse(host.stored!)).toEqual({ [STORE]: { last: 'two' } });
  });

  it('stays in memory without an interval', () => {
    const host = keeping(0);
    pass(host, 'store', 'one');
    host.loop(10_000);
    expect(host.exports.eea_shutdown!()).toBe(0);
    expect(host.stored).toBeUndefined();
  });

  it('is loaded at startup, separately for each workflow', () => {
    const host = keeping(100, JSON.stringify({ [LOAD]: { last: 'before' }, [STORE]: { last: 'other' } }));
    pass(host, 'load');
    expect(messages(host)).toEqual(['before']);
  });

  it.each(['', 'no JSON', '[1]', '{"a":'])('is empty at startup if %j was stored', (stored) => {
    const host = keeping(100, stored);
    expect(pass(host, 'load')).toBe(0);
    expect(messages(host)).toEqual(['']);
  });

  it('is limited in size', () => {
    const host = keeping(0);
    host.exports.eea_config_set_storage_size!(200);
    expect(pass(host, 'store', 'x'.repeat(80))).toBe(0);
    expect(host.debugged).toEqual([]);
    expect(pass(host, 'store', 'x'.repeat(201))).toBe(0);
    expect(host.debugged).toMatchObject([{ error: { name: 'StorageError' }, nodeId: 'store' }]);
  });

  it('can shrink while it exceeds a reduced limit', () => {
    const host = keeping(100);
    pass(host, 'store', 'x'.repeat(80));
    host.exports.eea_config_set_storage_size!(50);
    pass(host, 'store', 'x'.repeat(81));
    pass(host, 'store', 'x'.repeat(79));
    expect(host.debugged).toMatchObject([{ error: { name: 'StorageError' } }]);
    host.exports.eea_shutdown!();
    expect(JSON.parse(host.stored!)).toEqual({ [STORE]: { last: 'x'.repeat(79) } });
  });

  it('is empty at startup and traces an error if the stored data exceeds the limit', () => {
    const host = new Host(stores, { stored: JSON.stringify({ [LOAD]: { last: 'before' } }) });
    host.exports.eea_config_set_trace_level!(1);
    host.exports.eea_config_set_storage_size!(20);
    expect(host.exports.eea_init!()).toBe(0);
    expect(host.traced).toEqual([{ level: 1, text: 'the stored data exceeds the maximum storage size' }]);
  });

  it('returns the error codes of the host', () => {
    const refused = new Host(stores);
    refused.answers.eea_storage_read = 3;
    expect(refused.exports.eea_init!()).toBe(3);
    const host = keeping(100);
    host.answers.eea_storage_save = 4;
    pass(host, 'store', 'one');
    expect(host.loop(100)).toBe(4);
    expect(host.exports.eea_shutdown!()).toBe(4);
  });
});
