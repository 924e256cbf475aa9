import { checkGraph } from '../graph/graph.rules.js';
import { Host, type HostOptions } from '../../../test/suites/embedded/host.js';
import { LOGIC_FLOWS } from '../../../test/suites/embedded/logic-flows.js';
import { compile } from './compile.js';

let module: Uint8Array;

beforeAll(async () => {
  for (const { graph } of LOGIC_FLOWS) checkGraph('embedded', graph);
  ({ module } = await compile(
    {
      deviceId: '0123456789abcdef01234567',
      deploymentId: '89abcdef0123456701234567',
      identifier: '1700000000000',
      globals: [],
      flows: LOGIC_FLOWS,
    },
    { traceLevel: 1, disableDebugMessage: false, debugSymbols: false, exportMemory: true },
  ));
}, 120_000);

/** Returns the debug messages of a run with this data, on a new device or the given one. */
function run(name: string, data: unknown, host = device()): { message: string; payload: any; error?: any }[] {
  const before = host.debugged.length;
  expect(host.direct(name, data)).toBe(0);
  expect(host.loop()).toBe(0);
  return host.debugged.slice(before);
}

/** Creates a device with buffers large enough for every payload in this file. */
function device(options?: HostOptions, configure?: (host: Host) => void): Host {
  const host = new Host(module, options);
  host.exports.eea_config_set_message_buffer_lengths!(256, 100_000);
  configure?.(host);
  expect(host.exports.eea_init!()).toBe(0);
  return host;
}

const messages = (name: string, data: unknown, host?: Host) =>
  run(name, data, host).map(({ message }) => message);
/** Returns the payload of the last debug message of a run. */
const shown = (name: string, data: unknown, host?: Host): unknown => run(name, data, host).at(-1)!.payload;
/** Returns the error of a failed run and the node that failed. */
const failure = (name: string, data: unknown, host?: Host) => {
  const { error, nodeId } = run(name, data, host).at(-1) as any;
  return [nodeId, error?.name, error?.message];
};

describe('ConditionalNode', () => {
  it('follows its second output if the condition is true, otherwise the first', () => {
    expect(messages('condition', { level: 81 })).toEqual(['yes']);
    expect(messages('condition', { level: 80 })).toEqual(['no']);
    expect(messages('condition', {})).toEqual(['no']);
  });
});

describe('SwitchNode', () => {
  it('follows the output of the first matching case, otherwise the first output', () => {
    expect(messages('switch', { state: 'on', other: 'on' })).toEqual(['first']);
    expect(messages('switch', { state: 'off', other: 'off' })).toEqual(['second']);
    expect(messages('switch', { state: 'off', other: 'on' })).toEqual(['default']);
    expect(messages('switch', {})).toEqual(['second']);
    expect(messages('switch', { state: 'On' })).toEqual(['default']);
  });
});

describe('LatchNode', () => {
  it('latches once, and again after a reset', () => {
    const host = device();
    const levels = [50, 91, 95, 80, 69, 75, 99];
    expect(levels.flatMap((level) => messages('latch', { level }, host))).toEqual([
      'open',
      'closed',
      'open',
      'open',
      'open',
      'open',
      'closed',
    ]);
  });

  it('reports its state and actions', () => {
    const host = device();
    expect(shown('latch', { level: 91 }, host)).toEqual({
      latches: true,
      resets: false,
      was: false,
      is: true,
      branch: 1,
    });
    expect(shown('latch', { level: 69 }, host)).toEqual({
      latches: false,
      resets: true,
      was: true,
      is: false,
      branch: 0,
    });
  });

  it('has a separate state for each ID', () => {
    const host = device();
    const ids = ['a', 'b', 'a', 'b'];
    expect(ids.flatMap((id) => messages('latch', { level: 91, id }, host))).toEqual([
      'closed',
      'closed',
      'open',
      'open',
    ]);
  });

  it('limits the number of latched IDs', () => {
    const host = device();
    host.exports.eea_config_set_debug_enabled!(0);
    for (let id = 0; id < 1000; id++) run('latch', { level: 91, id }, host);
    host.exports.eea_config_set_debug_enabled!(1);
    expect(failure('latch', { level: 91, id: 'more' }, host)).toEqual([
      'latch',
      'RangeError',
      'a node can have at most 1000 closed latches',
    ]);
    expect(messages('latch', { level: 50, id: 7 }, host)).toEqual(['open']);
    expect(messages('latch', { level: 91, id: 'more' }, host)).toEqual(['closed']);
  });

  it('never latches without an expression', () => {
    expect(messages('bare', {})).toEqual(['never']);
  });
});

describe('DelayNode', () => {
  it('makes the host sleep', () => {
    const host = device();
    expect(messages('delay', { seconds: 1.2346 }, host)).toEqual(['done']);
    expect(messages('delay', { seconds: '0' }, host)).toEqual(['done']);
    expect(messages('delays', {}, host)).toEqual(['done']);
    expect(host.slept).toEqual([1235, 0, 500, 2000]);
  });

  it.each([
    {},
    { seconds: '' },
    { seconds: 'soon' },
    { seconds: -1 },
    { seconds: 3600.1 },
    { seconds: 1e300 },
  ])('fails with %j', (data) => {
    const host = device();
    expect(failure('delay', data, host)).toEqual([
      'wait',
      'ValidationError',
      'a delay must be from 0 to 3600 seconds',
    ]);
    expect(host.slept).toEqual([]);
  });

  it('fails with the code of the host when the host fails', () => {
    const host = device();
    host.answers.eea_sleep = 7;
    host.direct('delay', { seconds: 1 });
    expect(host.loop()).toBe(7);
    expect(host.debugged.at(-1)).toMatchObject({ nodeId: 'wait', error: { name: 'HostError' } });
  });
});

describe('ThrowErrorNode', () => {
  it('ends all paths with its message', () => {
    const host = device({}, ({ exports }) => exports.eea_config_set_trace_level!(1));
    expect(messages('throw', { id: 7 }, host)).toEqual(['begin', 'before', 'no row for 7']);
    expect(host.debugged.at(-1)).toMatchObject({
      nodeId: 'throw',
      error: { name: 'Error', message: 'no row for 7' },
      payload: { data: { id: 7 } },
    });
    expect(host.traced).toEqual([{ level: 1, text: expect.stringContaining('no row for 7') as string }]);
    expect(messages('condition', {}, host)).toEqual(['no']);
  });
});

describe('debug message', () => {
  it('contains its origin and the payload or a part of it', () => {
    const host = device();
    const [whole, part, nothing] = run('debug', { level: 7 }, host);
    const flow = LOGIC_FLOWS.find(({ name }) => name === 'debug')!;
    expect(whole).toEqual({
      flowId: flow.flowId,
      flowVersion: 'v1',
      message: 'It is 7',
      payload: expect.objectContaining({ data: { level: 7 }, triggerId: 'debug', working: {} }) as object,
      prevNodes: [],
      sourceNode: 'say',
      time: host.time,
      triggerUiIds: ['ui-debug'],
    });
    expect(part).toMatchObject({ message: '', payload: 7, sourceNode: 'part', prevNodes: ['say'] });
    expect(nothing).toMatchObject({ sourceNode: 'nothing', prevNodes: ['say', 'part'] });
    expect(nothing).not.toHaveProperty('payload');
  });

  it('is sent with QoS 0, and not at all when debugging is off', () => {
    const host = device();
    run('debug', {}, host);
    expect(host.sent.every(({ qos }) => qos === 0)).toBe(true);
    host.exports.eea_config_set_debug_enabled!(0);
    expect(run('debug', {}, host)).toEqual([]);
    host.exports.eea_config_set_debug_enabled!(1);
    expect(run('debug', {}, host)).toHaveLength(3);
  });
});

describe('debug message', () => {
  const roomy = () =>
    device({}, ({ exports }) => exports.eea_config_set_message_buffer_lengths!(256, 300_000));

  it('can be longer than the message buffers', () => {
    const host = roomy();
    run('debug', { level: 7, text: 'x'.repeat(200_000) }, host);
    expect(Buffer.byteLength(host.sent[0]!.payload)).toBeGreaterThan(200_000);
  });

  it('omits the payload if it is longer than 256 KiB', () => {
    const host = roomy();
    const [whole, part] = run('debug', { level: 7, text: 'x'.repeat(262_144) }, host);
    expect(whole).toMatchObject({ message: 'It is 7', payload: '(too long for a debug message)' });
    expect(part).toMatchObject({ payload: 7 });
  });

  it('is not sent if it is too long even without the payload, and the run continues', () => {
    const host = roomy();
    host.exports.eea_config_set_trace_level!(1);
    const told = run('debug', { level: 'x'.repeat(262_144) }, host);
    expect(told.map(({ message }) => message)).toEqual(['', '']);
    expect(host.traced[0]!.text).toBe('a debug message is longer than 256 KiB');
  });
});

describe('LoopNode', () => {
  it.each<[string, unknown, unknown[]]>([
    [
      'a list',
      ['a', null, { b: 1 }],
      [
        { value: 'a', index: 0, first: true },
        { value: null, index: 1 },
        { value: { b: 1 }, index: 2, last: true },
      ],
    ],
    [
      'an object',
      { x: 1, y: [2] },
      [
        { value: 1, index: 0, key: 'x', first: true },
        { value: [2], index: 1, key: 'y', last: true },
      ],
    ],
    [
      'a text',
      'a🙂',
      [
        { value: 'a', index: 0, first: true },
        { value: '🙂', index: 1, last: true },
      ],
    ],
    ['one item', [0], [{ value: 0, index: 0, first: true, last: true }]],
    [
      'a number',
      1.2,
      [
        { value: 0, index: 0, first: true },
        { value: 1, index: 1, last: true },
      ],
    ],
    ['a number below 0', -1.9, [{ value: 0, index: 0, first: true, last: true }]],
    ['0', 0, []],
    ['an empty list', [], []],
    ['an empty text', '', []],
    ['null', null, []],
    ['true', true, []],
    ['nothing', undefined, []],
  ])('runs once for each item of %s', (_name, source, items) => {
    expect(shown('items', { source })).toEqual(items);
  });

  it('keeps payload changes of an iteration that reaches a cap, and drops them otherwise', () => {
    expect(shown('carried', { source: 2 })).toBe(2);
    expect(shown('carried', { source: 5 })).toBe(2);
  });

  it('returns the results so far when it breaks', () => {
    expect(shown('broken', { source: ['a', 'skip', 'b', 'stop', 'c'] })).toEqual([0, null, 2, 'stop']);
    expect(shown('broken', { source: ['stop'] })).toEqual(['stop']);
    expect(shown('broken', { source: ['a'] })).toEqual([0]);
  });

  it('uses the first cap that an iteration reaches', () => {
    expect(shown('capped', { source: 3 })).toEqual([0, 1, 2]);
  });

  it('iterates over a snapshot of its source', () => {
    const payload = shown('changing', { source: [{ n: 0 }, { n: 1 }, { n: 2 }] });
    expect(payload).toMatchObject({
      working: { map: [0, 1, 2] },
      data: { source: [{ n: 0 }, { n: 1 }, { n: 'changed' }] },
    });
  });

  it('leaves the item in the payload only if a cap is reached', () => {
    expect(shown('looking', { source: 1 })).toBeUndefined();
    expect(shown('looking', { source: 3 })).toEqual({ value: 1, index: 1 });
  });

  it('can be nested', () => {
    expect(shown('nested', { source: [[1, 2], [], 'ab'] })).toMatchObject({
      rows: [[1, 2], [], ['a', 'b']],
      row: { index: 2, value: 'ab' },
      item: { index: 1, value: 'b' },
    });
  });

  it('fails the run when a node inside it fails', () => {
    expect(messages('failing', { source: ['good', 'bad', 'good'] })).toEqual(['inside', 'inside', 'bad']);
    expect(messages('failing', { source: ['good'] })).toEqual(['inside', 'after']);
  });

  it('is limited to 262144 iterations', () => {
    expect(failure('items', { source: 262_145 })).toEqual([
      'loop',
      'RangeError',
      'a loop can have at most 262144 iterations',
    ]);
    expect(failure('items', { source: -1e300 })[1]).toBe('RangeError');
  });

  it('has no iterations if it contains no nodes', () => {
    expect(shown('hollow', { source: 3 })).toEqual({ map: [] });
  });

  it('fails if the item path is invalid', () => {
    expect(failure('misplaced', { source: ['a'] })).toEqual([
      'loop',
      'PathError',
      'the path cannot be written to',
    ]);
  });
});

describe('device storage', () => {
  it('stores values in the configured type', () => {
    expect(shown('store', { id: 'x', value: 4 })).toEqual({
      a: '4!',
      count: 1.5,
      all: { 'key-x': '4!', json: { v: 4 }, number: 4, path: { id: 'x', value: 4 }, count: 1.5 },
    });
  });

  it('increments counters and deletes cleared values', () => {
    const host = device();
    run('store', { id: 'x', value: 4 }, host);
    expect(shown('store', { id: 'x', value: 5 }, host)).toMatchObject({ count: 3, a: '5!' });
  });

  it('is separate for each workflow', () => {
    const host = device();
    run('keep', { a: 1 }, host);
    expect(shown('kept', {}, host)).toEqual({});
    expect(shown('get', { key: 'kept' }, host)).toEqual({
      text: 'none of kept',
      json: [1],
      path: { key: 'kept' },
    });
  });

  it.each([{}, { n: 'x' }, { n: '' }, { n: 'Infinity' }])('rejects %j as a number', (data) => {
    expect(failure('number', data)).toEqual([
      'keep',
      'ValidationError',
      'the value to store is not a number',
    ]);
  });

  it('rejects invalid JSON for JSON values', () => {
    expect(failure('json', { n: 'x' })).toEqual([
      'keep',
      'InvalidJsonError',
      'the value to store is not valid JSON',
    ]);
  });

  it('persists across modules if the host saves it', () => {
    const host = device({}, ({ exports }) => exports.eea_config_set_storage_interval!(1000));
    run('keep', { a: [1, 'ü'] }, host);
    run('store', { id: 'x', value: 1 }, host);
    host.exports.eea_shutdown!();
    expect(host.stored).toContain('ü');
    const next = device({ stored: host.stored });
    expect(shown('store', { id: 'x', value: 1 }, next)).toMatchObject({ count: 3 });
  });

  it('can be read back when it is completely full', () => {
    const configure = ({ exports }: Host) => {
      exports.eea_config_set_storage_size!(100);
      exports.eea_config_set_storage_interval!(1000);
    };
    const host = device({}, configure);
    let length = 100;
    while (messages('keep', { t: 'ü'.repeat(length) }, host)[0] !== 'kept') length--;
    expect(length).toBeGreaterThan(10);
    host.exports.eea_shutdown!();
    const next = device({ stored: host.stored }, configure);
    next.exports.eea_shutdown!();
    expect(next.stored).toBe(host.stored);
    expect(next.stored).toContain('ü'.repeat(length));
  });

  it('fails when it is full, and keeps working', () => {
    const host = device({}, ({ exports }) => exports.eea_config_set_storage_size!(100));
    expect(failure('keep', { text: 'x'.repeat(100) }, host)).toEqual([
      'keep',
      'StorageError',
      'the storage of the device is full',
    ]);
    expect(messages('keep', { text: 'x' }, host)).toEqual(['kept']);
  });
});
