import { jest } from '@jest/globals';
import { reportsPort } from './reports.js';

const GATEWAY = '0123456789abcdef01234567';

describe('Reports without a time', () => {
  it('have different times, also in the same millisecond', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(1_000);
    const sent: string[] = [];
    const port = reportsPort({
      deviceId: GATEWAY,
      topicPrefix: 'fieldwright',
      mayReport: () => true,
      send: (_topic, payload) => sent.push(payload) > 0,
    });
    const report = (body: unknown) => port.call({} as never, 'device.sendState', { deviceId: GATEWAY }, body);
    await report({ data: { n: 1 } });
    await report([{ data: { n: 2 } }, { data: { n: 3 }, time: 5 }]);
    expect(sent.map((payload) => JSON.parse(payload))).toEqual([
      { data: { n: 1 }, time: 1_000 },
      { data: { n: 2 }, time: 1_001 },
      { data: { n: 3 }, time: 5 },
    ]);
  });
});
