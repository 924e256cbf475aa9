import type { Host } from '../../../test/suites/embedded/host.js';
import { logicDevices } from '../../../test/suites/embedded/logic-devices.js';
import { LOGIC_FLOWS } from '../../../test/suites/embedded/logic-flows.js';

const { run, device, messages, shown, failure } = logicDevices();

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
