import { endOf } from '../exports.js';
import { unique } from '../make.js';
import type { Published } from './published.js';

/** Bundles of applications. */
export function drivesBundles(published: Published): void {
  it('exports applications', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: unique() } });
    const small = await api.application!.export!({ applicationId, options: { includeDevices: true } });
    expect(small).toEqual({ url: expect.any(String) });
    const { jobId } = await api.application!.export!({ applicationId, options: { forceJob: true } });
    expect((await endOf(published.test, jobId)).status).toBe('completed');
  });
}
