import { PlatformTopics } from '../../platform/topics/platform-topics.js';
import type { DeviceClass } from '../../modules/devices/devices/device.schemas.js';
import { publishPurpose, subscribePurpose, TopicRights, type TopicRules } from './topic-rights.js';

const OWN = 'a'.repeat(24);
const OTHER = 'b'.repeat(24);
const topics = new PlatformTopics('p');
const NONE: TopicRules = { filterType: 'none', pubTopics: [], subTopics: [] };
const ALL: TopicRules = { ...NONE, filterType: 'all' };

const userOf = (deviceClass: DeviceClass, rules: TopicRules) => ({
  deviceId: OWN,
  deviceClass,
  rights: new TopicRights(rules),
});
const publish = (topic: string, deviceClass: DeviceClass = 'standalone', rules = ALL) =>
  publishPurpose(topics, userOf(deviceClass, rules), topic);
const subscribe = (filter: string, deviceClass: DeviceClass = 'standalone', rules = ALL) =>
  subscribePurpose(topics, userOf(deviceClass, rules), filter);

const CLASSES: readonly DeviceClass[] = ['standalone', 'gateway', 'edgeCompute', 'embedded'];

describe('A device', () => {
  it.each(CLASSES)('of class %s reports, and receives commands, whatever its key allows', (deviceClass) => {
    expect(publish(`p/${OWN}/state`, deviceClass, NONE)).toEqual({ kind: 'state', deviceId: OWN });
    expect(subscribe(`p/${OWN}/command`, deviceClass, NONE)).toEqual({ kind: 'command' });
  });

  it.each([
    ['standalone', false],
    ['gateway', true],
    ['edgeCompute', true],
    ['embedded', false],
  ] as const)('of class %s may report for peripherals: %s', (deviceClass, may) => {
    const expected = may ? { kind: 'state', deviceId: OTHER } : undefined;
    expect(publish(`p/${OTHER}/state`, deviceClass, NONE)).toEqual(expected);
  });

  it.each([
    ['standalone', false],
    ['gateway', false],
    ['edgeCompute', true],
    ['embedded', true],
  ] as const)('of class %s has an agent: %s', (deviceClass, has) => {
    for (const name of ['hello', 'debug', 'a/b'])
      expect(publish(`p/${OWN}/fromAgent/${name}`, deviceClass, NONE)).toEqual(
        has ? { kind: 'agent', name } : undefined,
      );
    for (const name of ['#', '+', 'flows', 'a/+'])
      expect(subscribe(`p/${OWN}/toAgent/${name}`, deviceClass, NONE)).toEqual(
        has ? { kind: 'agent' } : undefined,
      );
  });

  it.each([
    `p/${OWN}/command`,
    `p/${OWN}/toAgent/flows`,
    `p/${OTHER}/fromAgent/hello`,
    `p/${OTHER}/command`,
    `p/${OWN}/state/x`,
    `p/${OWN}`,
    `p/${OWN.toUpperCase()}/state`,
    `p/${OWN}0/state`,
    'p/x/state',
    'p/state',
    'p',
    'p/',
    '$SYS/x',
    '$share/g/x',
    '',
    'a/+',
    '#',
    'a\0',
  ])('never publishes on %j', (topic) => {
    expect(publish(topic, 'edgeCompute')).toBeUndefined();
  });

  it.each([
    'p/#',
    'p/+/command',
    `p/${OWN}/#`,
    `p/${OWN}/+`,
    `p/${OWN}/toAgent`,
    `p/${OTHER}/toAgent/#`,
    `p/${OTHER}/fromAgent/#`,
    `p/${OWN}/fromAgent/#`,
    `p/${OTHER}/+`,
    'p',
    '$SYS/#',
    '$share/g/x',
    '',
    'a/#/b',
    'a+',
  ])('never subscribes to %j', (filter) => {
    expect(subscribe(filter, 'edgeCompute')).toBeUndefined();
  });

  it('may subscribe to messages of another device, if it can reach that one', () => {
    for (const name of ['state', 'command'] as const)
      expect(subscribe(`p/${OTHER}/${name}`)).toEqual({ kind: 'other', deviceId: OTHER, name });
    // Its own reports are those of a device that it can reach.
    expect(subscribe(`p/${OWN}/state`)).toEqual({ kind: 'other', deviceId: OWN, name: 'state' });
  });
});

describe('Custom topics', () => {
  const lists = { pubTopics: ['a/+', 'b'], subTopics: ['x/#', 'y/+/z'] };
  const white: TopicRules = { filterType: 'whitelist', ...lists };
  const black: TopicRules = { filterType: 'blacklist', ...lists };

  it.each([
    ['a/1', [false, true, true, false]],
    ['b', [false, true, true, false]],
    ['a/1/2', [false, true, false, true]],
    ['other', [false, true, false, true]],
    ['px/state', [false, true, false, true]],
  ])('%j may be published on with none, all, whitelist and blacklist: %j', (topic, expected) => {
    const found = [NONE, ALL, white, black].map((rules) => publish(topic, 'standalone', rules));
    expect(found.map((purpose) => purpose?.kind === 'custom')).toEqual(expected);
  });

  it.each([
    ['x', [false, true, true, false]],
    ['x/1/2', [false, true, true, false]],
    ['x/+/a', [false, true, true, false]],
    ['x/#', [false, true, true, false]],
    ['y/1/z', [false, true, true, false]],
    ['y/+/z', [false, true, true, false]],
    // Wider than what the whitelist has, and wide enough for what the blacklist has.
    ['y/+/+', [false, true, false, false]],
    ['+/1/z', [false, true, false, false]],
    ['#', [false, true, false, false]],
    ['y/1/a', [false, true, false, true]],
    ['other/#', [false, true, false, true]],
    ['pump/+/state', [false, true, false, true]],
  ])('%j may be subscribed to with none, all, whitelist and blacklist: %j', (filter, expected) => {
    const found = [NONE, ALL, white, black].map((rules) => subscribe(filter, 'standalone', rules));
    expect(found.map((purpose) => purpose?.kind === 'custom')).toEqual(expected);
  });
});
