import { holdCallback, holdEvent } from './pushed.js';

const data = {
  jobId: 'job-1',
  status: 'completed',
  url: 'https://example.com/a',
  expiresAt: '2026-06-13T04:00:00.000Z',
};
const callback = { type: 'devices.export', timestamp: '2026-06-13T04:00:00.000Z', data };

it('holdCallback throws for a callback that the document does not describe', () => {
  expect(() => holdCallback(callback)).not.toThrow();
  expect(() => holdCallback({ ...callback, data: { ...data, rows: 3 } })).toThrow(/additional properties/);
  expect(() => holdCallback({ ...callback, data: { jobId: 'job-1' } })).toThrow(/status/);
  expect(() => holdCallback({ ...callback, type: 'devices.get' })).toThrow(
    'devices.get documents no callback',
  );
});

it('holdEvent throws for an event that the document does not describe', () => {
  const event = { event: 'deviceCommand', data: { name: 'open', time: '2026-06-13T04:00:00.000Z' } };
  expect(() => holdEvent('device.commandStream', event)).not.toThrow();
  expect(() => holdEvent('device.commandStream', { ...event, event: 'command' })).toThrow('no event command');
  expect(() => holdEvent('device.commandStream', { ...event, data: { name: 'open' } })).toThrow(/time/);
});
