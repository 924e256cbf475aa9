import { BARE } from '../../../../test/make/bundle-imports.js';
import { waitForOutcome } from '../../../../test/make/exports.js';
import { uniqueName } from '../../../../test/make/make.js';
import { zipOf } from '../../../../test/make/zip-files.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests bundles of applications. */
export function drive(published: Published): void {
  it('exports applications', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const small = await api.application!.export!({ applicationId, options: { includeDevices: true } });
    expect(small).toEqual({ url: expect.any(String) });
    const { jobId } = await api.application!.export!({ applicationId, options: { forceJob: true } });
    expect((await waitForOutcome(published.test, jobId)).status).toBe('completed');
  });
  it('imports and clones applications', async () => {
    const { api } = await published.signedIn();
    const importBundle = await zipOf(BARE);
    const { application } = await api.applications!.import!({ importBundle, includeDevices: 'true' });
    expect(application).toMatchObject({ name: 'Pumps' });
    const own = { applicationId: application.id };
    expect(await api.application!.import!({ ...own, importBundle })).toMatchObject({ id: application.id });
    expect(await api.application!.clone!({ ...own, options: { dryRun: true } })).toEqual({
      success: true,
      requiresJob: false,
    });
    expect(await api.application!.clone!({ ...own, options: { includeFiles: true } })).toMatchObject({
      application: { name: 'Pumps' },
      validationErrors: [],
    });
  });
}
