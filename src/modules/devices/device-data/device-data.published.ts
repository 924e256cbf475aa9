import { storePoints } from '../../../../test/make/device-points.js';
import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests device data: reports, latest values, time series. */
export function drive(published: Published): void {
  it('reads device data', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const device = await api.devices!.post!({
      applicationId,
      device: {
        name: 'Pump',
        tags: [{ key: 'floor', value: '8' }],
        attributes: [{ name: 'voltage', dataType: 'number' }],
      },
    });
    const now = Date.now();
    const at = (ago: number, value: number) => ({ attribute: 'voltage', time: now - ago, value });
    await storePoints(published.test, device, [at(90_000, 1), at(80_000, 2)]);
    const last = { time: new Date(now - 80_000).toISOString() };
    const own = { applicationId, deviceId: device.id };
    expect(await api.device!.getState!({ ...own, since: now - 85_000, limit: 5 })).toEqual([
      { ...last, data: { voltage: 2 } },
    ]);
    const asComposite = await api.device!.getCompositeState!({ ...own, attributes: 'voltage' });
    expect(asComposite).toEqual({ voltage: { ...last, value: 2 } });
    const selection = {
      deviceTags: [{ key: 'floor', value: '8' }],
      deviceQuery: { deviceClass: 'standalone' },
    };
    const series = { end: 0, duration: 600_000, aggregation: 'SUM', attributes: ['voltage'], ...selection };
    expect((await api.data!.timeSeriesQuery!({ applicationId, query: series })).devices).toMatchObject({
      [device.id]: { name: 'Pump', tags: { floor: ['8'] }, points: [{ data: { voltage: 3 } }] },
    });
    const asked = { deviceIds: [device.id], attribute: 'voltage' };
    expect(await api.data!.lastValueQuery!({ applicationId, query: asked })).toEqual({
      [device.id]: { ...last, data: { voltage: 2 } },
    });
  });
}
