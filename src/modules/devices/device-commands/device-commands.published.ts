import { makeUser, tokenOf, uniqueName } from '../../../../test/make/make.js';
import { waitUntil } from '../../../../test/setup/until.js';
import type { Published } from '../../../../test/contract/published.js';

/** A stream as returned by the client. */
interface EventSource {
  addEventListener(name: string, listener: (event: { data: string }) => void): void;
  close(): void;
}

/** Tests device commands, connections and streams. */
export function drive(published: Published): void {
  it('sends commands to devices and streams them', async () => {
    const { test } = published;
    const user = await makeUser(test);
    const api = published.client(user.token);
    const streams = published.client(tokenOf(test, user.id, ['device.commandStream', 'device.stateStream']));
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const tags = [{ key: 'site', value: 'north' }];
    const device = { name: 'Valve', tags, attributes: [{ name: 'flow', dataType: 'number' }] };
    const { id: deviceId } = await api.devices!.post!({ applicationId, device });
    const own = { applicationId, deviceId };
    const told: Record<string, unknown>[] = [];
    const commands: EventSource = await streams.device!.commandStream!({ ...own, keepAliveInterval: 5 });
    commands.addEventListener('deviceCommand', ({ data }) => told.push(JSON.parse(data)));
    const states: EventSource = await streams.device!.stateStream!(own);
    states.addEventListener('deviceState', ({ data }) => told.push(JSON.parse(data)));
    try {
      const deviceCommand = { name: 'open', payload: { percent: 40 } };
      expect(await api.device!.sendCommand!({ ...own, deviceCommand })).toEqual({ success: true });
      const multiDeviceCommand = { name: 'close', deviceTags: tags };
      expect(await api.devices!.sendCommand!({ applicationId, multiDeviceCommand })).toEqual({
        success: true,
      });
      await api.device!.sendState!({ ...own, deviceState: { data: { flow: 7 } } });
      await waitUntil(async () => told.length === 3);
      expect(told).toEqual(
        expect.arrayContaining([
          expect.objectContaining(deviceCommand),
          expect.objectContaining({ name: 'close' }),
          expect.objectContaining({ data: { flow: 7 } }),
        ]),
      );
    } finally {
      commands.close();
      states.close();
    }
    const kept = await api.device!.getCommand!({ ...own, limit: 5, sortDirection: 'asc' });
    expect(kept).toMatchObject([{ name: 'open', payload: { percent: 40 } }, { name: 'close' }]);
  });

  it('reports whether a device is connected', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const { id: deviceId } = await api.devices!.post!({ applicationId, device: { name: 'Valve' } });
    const own = { applicationId, deviceId };
    const connectionStatus = { status: 'disconnected', disconnectReason: 'Tired' };
    expect(await api.device!.setConnectionStatus!({ ...own, connectionStatus })).toEqual({ success: true });
    expect(await api.device!.getLogEntries!(own)).toMatchObject([
      { connected: 0, disconnectReason: 'Tired' },
    ]);
  });
}
