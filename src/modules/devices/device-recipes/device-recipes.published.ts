import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests device recipes and bulk operations on devices. */
export function drive(published: Published): void {
  it('manages device recipes and creates devices from them', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const { id: deviceRecipeId } = await api.deviceRecipes!.post!({
      applicationId,
      deviceRecipe: { name: 'Pump', tags: [{ key: 'site', value: 'north' }] },
    });
    const own = { applicationId, deviceRecipeId };
    expect((await api.deviceRecipes!.get!({ applicationId, filter: 'pu*' })).items).toMatchObject([
      { id: deviceRecipeId, tags: [{ key: 'site', value: 'north' }] },
    ]);
    const deviceRecipe = { deviceName: 'Pump of the north' };
    expect(await api.deviceRecipe!.patch!({ ...own, deviceRecipe })).toMatchObject(deviceRecipe);
    expect(await api.deviceRecipe!.get!(own)).toMatchObject(deviceRecipe);
    const bulkInfo = { csv: 'name\nPump 1\nPump 2\n', nameColumn: 'name' };
    expect(await api.deviceRecipe!.bulkCreate!({ ...own, bulkInfo })).toMatchObject({
      created: 2,
      failed: 0,
    });
    expect(await api.deviceRecipe!.delete!(own)).toEqual({ success: true });
  });

  it('updates and deletes devices in bulk', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    await api.devices!.post!({ applicationId, device: { name: 'Pump 1' } });
    const query = { name: 'Pump 1' };
    const patchInfo = { query, updateFields: { keepDuplicates: true } };
    expect(await api.devices!.patch!({ applicationId, patchInfo })).toMatchObject({ updated: 1, failed: 0 });
    const options = { query };
    expect(await api.devices!.delete!({ applicationId, options })).toEqual({ removed: 1, failed: 0 });
  });
}
