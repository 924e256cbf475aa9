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
  it('fire at the first tick one by one, then after their period, and make up for nothing', () => {
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

  it('begin their periods anew where the clock is set back', () => {
    const host = Host.started(stores);
    host.settle();
    host.sent.length = 0;
    host.loop(-1_000_000);
    host.loop(249);
    expect(messages(host)).toEqual([]);
    host.loop(1);
    expect(messages(host)).toEqual(['fast']);
  });

  it('take turns with messages', () => {
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

  /** A device whose timers have fired, with storage that it saves so often. */
  function keeping(interval: number, stored?: string): Host {
    const host = new Host(stores, { stored });
    host.exports.eea_config_set_storage_interval!(interval);
    expect(host.exports.eea_init!()).toBe(0);
    host.settle();
    host.sent.length = host.called.length = 0;
    return host;
  }

  /** Passes a message, with no tick at which a timer fires. */
  function pass(host: Host, topic: string, payload = ''): number {
    host.receive(topic, payload);
    return host.loop();
  }

  it('is saved once an interval where it has changed, and when the module ends', () => {
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

  it('is read when the module begins, each workflow its own', () => {
    const host = keeping(100, JSON.stringify({ [LOAD]: { last: 'before' }, [STORE]: { last: 'other' } }));
    pass(host, 'load');
    expect(messages(host)).toEqual(['before']);
  });

  it.each(['', 'no JSON', '[1]', '{"a":'])('begins empty where %j was kept', (stored) => {
    const host = keeping(100, stored);
    expect(pass(host, 'load')).toBe(0);
    expect(messages(host)).toEqual(['']);
  });

  it('keeps no more than its size', () => {
    const host = keeping(0);
    host.exports.eea_config_set_storage_size!(200);
    expect(pass(host, 'store', 'x'.repeat(80))).toBe(0);
    expect(host.debugged).toEqual([]);
    expect(pass(host, 'store', 'x'.repeat(201))).toBe(0);
    expect(host.debugged).toMatchObject([{ error: { name: 'StorageError' }, nodeId: 'store' }]);
  });

  it('becomes smaller where it is larger than it may be by now', () => {
    const host = keeping(100);
    pass(host, 'store', 'x'.repeat(80));
    host.exports.eea_config_set_storage_size!(50);
    pass(host, 'store', 'x'.repeat(81));
    pass(host, 'store', 'x'.repeat(79));
    expect(host.debugged).toMatchObject([{ error: { name: 'StorageError' } }]);
    host.exports.eea_shutdown!();
    expect(JSON.parse(host.stored!)).toEqual({ [STORE]: { last: 'x'.repeat(79) } });
  });

  it('begins empty where more was kept than it may hold, and says so', () => {
    const host = new Host(stores, { stored: JSON.stringify({ [LOAD]: { last: 'before' } }) });
    host.exports.eea_config_set_trace_level!(1);
    host.exports.eea_config_set_storage_size!(20);
    expect(host.exports.eea_init!()).toBe(0);
    expect(host.traced).toEqual([{ level: 1, text: 'what is stored is larger than the storage may be' }]);
  });

  it('answers what the host answers', () => {
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
