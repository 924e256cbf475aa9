import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests devices and their related resources. */
export function drive(published: Published): void {
  it('manages devices', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const { id: parentId } = await api.devices!.post!({
      applicationId,
      device: { name: 'Field', deviceClass: 'system' },
    });
    const device = {
      name: 'Pump',
      parentId,
      tags: [{ key: 'site', value: 'north' }],
      attributes: [{ name: 'flow', dataType: 'number', attributeTags: { unit: 'l' } }],
    };
    const { id: deviceId } = await api.devices!.post!({ applicationId, device });
    const own = { applicationId, deviceId };
    const lists = [
      { tagFilter: [{ key: 'site' }, { value: 'south' }], deviceClass: ['standalone', 'gateway'] },
      { query: { ancestorId: parentId, tags: { site: 'north' } }, sortField: 'connectionStatus' },
      { parentId, deviceClass: 'standalone', filter: 'pu*', excludeConnectionInfo: true },
    ];
    for (const list of lists)
      expect((await api.devices!.get!({ applicationId, ...list })).items).toMatchObject([
        { id: deviceId, ...device },
      ]);
    expect((await api.devices!.get!({ applicationId, tagFilter: [{ value: 'south' }] })).count).toBe(0);
    expect(await api.devices!.tagKeys!({ applicationId })).toEqual({ tagKeys: ['site'] });
    const values = await api.devices!.tagValues!({ applicationId, key: 'site', query: { name: 'Pump' } });
    expect(values.tagValues).toEqual(['north']);
    const types = { applicationId, dataType: ['number', 'gps'] };
    expect(await api.devices!.attributeNames!(types)).toEqual({ attributeNames: ['flow'] });
    const changed = { description: 'The north one', deviceClass: 'gateway' };
    expect(await api.device!.patch!({ ...own, device: changed })).toMatchObject(changed);
    expect(await api.device!.get!(own)).toMatchObject({ ancestorIds: [parentId], tags: device.tags });
    expect(await api.device!.delete!(own)).toEqual({ success: true });
    await expect(api.device!.get!(own)).rejects.toMatchObject({ statusCode: 404 });
    expect((await api.devices!.get!({ applicationId, queryDeleted: true })).count).toBe(1);
  });
}
