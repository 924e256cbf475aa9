import { firingOf } from './firing-of.js';

const requestedAt = new Date(0);
const NOBODY = { relayType: 'public', relayId: '0'.repeat(24) };
const FILE = { data: { file: { parentDirectory: '/a/', name: 'f' } } };

it.each([
  ['timer', {}, { relayType: 'timer', relayId: 'key' }],
  ['integration', {}, { relayType: 'integration', relayId: 'key' }],
  ['resourceJobIteration', {}, { relayType: 'resourceJob', relayId: 'key' }],
  ['webhook', { sourceId: 'w' }, NOBODY],
  [
    'endpoint',
    { sourceId: 'u', sourceType: 'experienceUser' },
    { relayType: 'experienceUser', relayId: 'u' },
  ],
  ['deviceTag', { sourceId: 'd' }, { triggerId: 'device', relayType: 'device', relayId: 'd' }],
  ['deviceIdInactivity', { sourceId: 'i', sourceType: 'timer' }, { triggerId: 'device', relayType: 'timer' }],
  ['appFile', FILE, { triggerId: '/a/f', ...FILE }],
])('a run of %s names its trigger and who caused it', (type, trigger, expected) => {
  const run = { requestedAt, deviceId: 'device' };
  expect(firingOf({ type, key: 'key', data: {}, ...trigger }, run)).toMatchObject({
    time: requestedAt,
    triggerType: type,
    triggerId: 'key',
    ...expected,
  });
});
