import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests device reports. */
export function drive(published: Published): void {
  it('reports device states', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const attributes = [{ name: 'flow', dataType: 'number' }];
    const { id: deviceId } = await api.devices!.post!({
      applicationId,
      device: { name: 'Pump', attributes },
    });
    const own = { applicationId, deviceId };
    const deviceState = { data: { flow: 12.5 }, time: { $date: new Date().toISOString() } };
    expect(await api.device!.sendState!({ ...own, deviceState })).toEqual({ success: true });
    const states = [deviceState, { data: { flow: '13' }, time: -1000 }];
    expect(await api.device!.sendState!({ ...own, deviceState: states })).toEqual({ success: true });
  });
}
