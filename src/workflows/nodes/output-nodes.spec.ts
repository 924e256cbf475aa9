import {
  type Chain,
  ChainHost,
  compileChains,
  MAX_PAYLOAD_LENGTH,
} from '../../../test/suites/embedded/chains.js';
import { DEVICE_ID } from '../../../test/suites/embedded/host.js';

const state = (config: object): Chain => [['DeviceChangeStateNode', config as Record<string, unknown>]];
const publish = (config: object): Chain => [
  ['MqttMessageNode', { topicTemplate: '{{data.topic}}', messageTemplate: 'hello {{data.name}}', ...config }],
];

const CHAINS = {
  fields: state({
    attrInfos: [
      { key: 'x', valueTemplate: '{{data.x}}' },
      { key: 'none', valueTemplate: '{{data.none}}' },
      { key: 'text', valueTemplate: 'x={{data.x}}' },
    ],
    timeSourceType: 'payloadTime',
    resultPath: '',
  }),
  json: state({
    attrDataMethod: 'jsonTemplate',
    attrJsonTemplate: '{"x":{{data.x}}}',
    timeSourceType: 'now',
  }),
  path: state({
    attrDataMethod: 'payloadPath',
    attrPayloadPath: 'data.state',
    timeSourceType: 'payloadPath',
    timeSourcePath: 'data.time',
    resultPath: 'working.told',
  }),
  publish: publish({}),
  publishTold: publish({ qos: 1, resultPath: 'working.code' }),
} satisfies Record<string, Chain>;

let module: Uint8Array;
let device: ChainHost;

beforeAll(async () => {
  module = await compileChains(CHAINS);
}, 120_000);

beforeEach(() => {
  device = new ChainHost(module);
});

const run = (name: keyof typeof CHAINS, data?: object) => device.run(name, data);
const messages = () => device.host.sent.filter(({ topic }) => !topic.endsWith('/debug'));

describe('DeviceChangeStateNode', () => {
  it('reports attributes that have a value, with the time of the payload', () => {
    const { payload, code } = run('fields', { x: 1.5 });
    expect(code).toBe(0);
    expect(messages()).toEqual([
      {
        topic: `fieldwright/${DEVICE_ID}/state`,
        payload: JSON.stringify({ time: payload.time, data: { x: 1.5, text: 'x=1.5' } }),
        qos: 1,
      },
    ]);
  });

  it('reports the results of JSON templates and paths, with the configured time', () => {
    device.host.time += 5;
    run('json', { x: [1] });
    expect(device.host.reported).toEqual([{ time: device.host.time, data: { x: [1] } }]);
    const { payload } = run('path', { state: { a: true }, time: 1 });
    expect(device.host.reported[1]).toEqual({ time: 1, data: { a: true } });
    expect(payload.working.told).toEqual({ success: true });
  });

  it.each([
    [{ state: 5, time: 1 }],
    [{ state: [], time: 1 }],
    [{ time: 1 }],
    [{ state: {}, time: 'noon' }],
    [{ state: {}, time: null }],
  ])('sends nothing for %j and reports the error', (data) => {
    const { payload, code } = run('path', data);
    expect(payload.working.told).toEqual({ error: { type: 'ValidationError', message: expect.any(String) } });
    expect([messages(), code]).toEqual([[], 0]);
  });

  it('fails if the report exceeds the maximum message size', () => {
    const { error } = run('fields', { x: 'x'.repeat(MAX_PAYLOAD_LENGTH / 2) });
    expect(error).toEqual({ name: 'RangeError', message: expect.any(String) });
    expect(messages()).toEqual([]);
  });

  it('fails when the host cannot send, and the loop returns the code', () => {
    refuseOnce(7);
    expect(run('fields', { x: 1 })).toMatchObject({ code: 7, error: { name: 'HostError' } });
    refuseOnce(7);
    expect(run('path', { state: {}, time: 1 })).toMatchObject({
      code: 0,
      payload: { working: { told: { error: { type: 'HostError' } } } },
    });
  });
});

/** Makes the host return a code for the next message to send. */
function refuseOnce(code: number): void {
  const answers = [code];
  Object.defineProperty(device.host.answers, 'eea_send_message', {
    configurable: true,
    get: () => answers.shift() ?? 0,
  });
}

describe('MqttMessageNode', () => {
  it('publishes the results of its templates', () => {
    run('publish', { topic: 'pumps/3', name: 'ü' });
    run('publishTold', { topic: 'pumps/4', name: '"' });
    expect(messages()).toEqual([
      { topic: 'pumps/3', payload: 'hello ü', qos: 0 },
      { topic: 'pumps/4', payload: 'hello "', qos: 1 },
    ]);
  });

  it.each([
    '',
    '$SYS/a',
    'a/+',
    '#',
    'fieldwright/0123456789abcdef01234567/state',
    'a\0',
    'x'.repeat(231),
    'ü'.repeat(116),
  ])('rejects the topic %j', (topic) => {
    expect(run('publishTold', { topic }).error).toEqual({
      name: 'ValidationError',
      message: expect.any(String),
    });
    expect(messages()).toEqual([]);
  });

  it('fails when the host cannot send, and the loop returns the code; with a result path, it is written there', () => {
    refuseOnce(9);
    expect(run('publish', { topic: 'a' })).toMatchObject({ code: 9, error: { name: 'HostError' } });
    refuseOnce(9);
    expect(run('publishTold', { topic: 'a' })).toMatchObject({ code: 0, payload: { working: { code: 9 } } });
    expect(run('publishTold', { topic: 'a' }).payload.working).toEqual({ code: 0 });
  });
});
