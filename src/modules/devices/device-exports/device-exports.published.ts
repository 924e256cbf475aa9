import { waitForOutcome } from '../../../../test/make/exports.js';
import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests exports of devices and their data, and its deletion. */
export function drive(published: Published): void {
  it('exports devices and their data', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const attributes = [{ name: 'pressure', dataType: 'number' }];
    const { id: deviceId } = await api.devices!.post!({
      applicationId,
      device: { name: 'Pump', attributes },
    });
    const email = `${uniqueName()}@example.com`;
    const span = { start: '-86400000', end: '0', includeBlobData: 'True' };
    const exports = [
      await api.device!.export!({ applicationId, deviceId, email, ...span }),
      await api.data!.export!({ applicationId, query: { deviceIds: [deviceId], email } }),
      await api.devices!.export!({ applicationId, email }),
    ];
    for (const answer of exports) {
      expect(answer).toMatchObject({ success: true, jobQueued: true });
      expect((await waitForOutcome(published.test, answer.jobId)).status).toBe('completed');
    }
    const removals = [
      await api.device!.removeData!({ applicationId, deviceId, start: '1', end: '0' }),
      await api.devices!.removeData!({
        applicationId,
        options: { query: {}, attributes: ['pressure'], email },
      }),
    ];
    for (const { jobId } of removals)
      expect((await waitForOutcome(published.test, jobId)).status).toBe('completed');
  });
}
