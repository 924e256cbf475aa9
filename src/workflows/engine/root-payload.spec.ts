import { programOf } from '../../../test/doubles/run-flow.js';
import { mergedGlobals, rootPayload, type Firing } from './root-payload.js';

const TIME = new Date(0);
const program = programOf([], { globals: [{ key: 'limit', json: '42' }] });
const ROOT = {
  time: TIME,
  applicationId: 'a'.repeat(24),
  applicationName: 'Pumps',
  flowId: 'f'.repeat(24),
  flowName: 'Alarm',
  flowVersion: 'develop',
  globals: { limit: 42 },
};
const DEVICE = {
  id: 'd'.repeat(24),
  name: 'Pump',
  tags: [
    { key: 'site', value: 'north' },
    { key: 'site', value: 'south' },
  ],
  attributes: [{ name: 'temp', dataType: 'number' }],
};
const OF_DEVICE = {
  triggerId: DEVICE.id,
  deviceName: 'Pump',
  deviceTags: { site: ['north', 'south'] },
  device: {
    id: DEVICE.id,
    name: 'Pump',
    tags: { site: ['north', 'south'] },
    attributes: { temp: { name: 'temp', dataType: 'number' } },
  },
};

const CASES: [string, Partial<Firing>, object][] = [
  ['virtualButton', { triggerId: 'f-button', data: { a: 1 } }, { triggerId: 'f-button', data: { a: 1 } }],
  [
    'timer',
    { triggerId: 'f-timer', relayType: 'timer' },
    { triggerId: 'f-timer', data: {}, relayType: 'timer' },
  ],
  ['webhook', { relayType: 'public', relayId: '0' }, { data: {}, relayType: 'public', relayId: '0' }],
  [
    'deviceTag',
    { triggerId: 'site/north', device: DEVICE, meta: { m: 1 } },
    { ...OF_DEVICE, meta: { m: 1 }, data: {} },
  ],
  ['deviceId', { data: null, original: '{', device: DEVICE }, { ...OF_DEVICE, data: null, original: '{' }],
  ['deviceTagConnect', { device: DEVICE }, { ...OF_DEVICE, data: {} }],
  ['deviceIdDisconnect', { device: DEVICE }, { ...OF_DEVICE, data: {} }],
  ['deviceIdInactivity', { device: DEVICE }, { ...OF_DEVICE, data: {} }],
  ['deviceCreate', { triggerId: DEVICE.id, device: DEVICE }, { triggerId: DEVICE.id, data: {} }],
  ['mqttTopic', { triggerId: 'a/b', data: 'text' }, { triggerId: 'a/b', data: 'text' }],
  [
    'endpoint',
    { triggerId: 'e', experience: { user: null } },
    { triggerId: 'e', data: {}, experience: { user: null } },
  ],
];

it.each(CASES)('builds the payload of %s', (triggerType, firing, expected) => {
  expect(rootPayload(program, { time: TIME, triggerId: 'key', triggerType, ...firing })).toEqual({
    ...ROOT,
    triggerId: 'key',
    triggerType,
    ...expected,
  });
});

describe('globals', () => {
  it('of the workflow override those of the experience, which override those of the application', () => {
    const list = (...keys: string[]) => keys.map((key) => ({ key, json: `"${keys.length}"` }));
    expect(mergedGlobals(list('a', 'b', 'c'), list('b', 'c'), list('c'))).toEqual({ a: '3', b: '2', c: '1' });
  });

  it('that are no JSON are absent', () => {
    expect(
      mergedGlobals(
        [{ key: 'a', json: '1' }],
        [
          { key: 'a', json: '{' },
          { key: 'b', json: '' },
        ],
      ),
    ).toEqual({ a: 1 });
  });

  it('cannot replace a prototype', () => {
    const globals = mergedGlobals([{ key: '__proto__', json: '{"x":1}' }]);
    expect(Object.keys(globals)).toEqual([]);
    expect(globals.x).toBeUndefined();
  });
});
