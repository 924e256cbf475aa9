import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests workflow deployments on edge compute devices. */
export function drive(published: Published): void {
  it('releases, replaces and removes workflows', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const agent = { minimumAgentVersion: '1.0.0' };
    const flow = { name: 'Alarm', flowClass: 'edge', ...agent };
    const { id: flowId } = await api.flows!.post!({ applicationId, flow });
    await api.flowVersions!.post!({ applicationId, flowId, flowVersion: { version: '1', ...agent } });
    const device = { name: 'Gate', deviceClass: 'edgeCompute', tags: [{ key: 'site', value: 'north' }] };
    const { id: deviceId } = await api.devices!.post!({ applicationId, device });
    const { get, ...act } = api.edgeDeployments!;
    const release = { flowId, version: 'develop', deviceTags: [{ key: 'site' }] };
    expect(await act.release!({ applicationId, deployment: release })).toEqual({ success: true });
    const asked = { deviceId, flowId, version: 'develop', filterEmpty: true };
    expect((await get!({ applicationId, ...asked })).items).toMatchObject([{ deviceId, deviceName: 'Gate' }]);
    const replacement = { flowId, oldVersion: 'develop', newVersion: '1' };
    expect(await act.replace!({ applicationId, deployment: replacement })).toEqual({ success: true });
    expect((await get!({ applicationId, version: '1' })).totalCount).toBe(1);
    const removal = { flowId, deviceId: null };
    expect(await act.remove!({ applicationId, deployment: removal })).toEqual({ success: true });
    expect((await get!({ applicationId, filterEmpty: true })).totalCount).toBe(0);
  });
}
