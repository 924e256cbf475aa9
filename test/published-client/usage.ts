import { unique } from '../make.js';
import type { Published } from './published.js';

/** What applications and their owners use. */
export function drivesUsage(published: Published): void {
  it('counts payloads', async () => {
    const { api } = await published.signedIn();
    const { id: orgId } = await api.orgs!.post!({ organization: { name: unique() } });
    const { id: applicationId } = await api.applications!.post!({ application: { name: unique(), orgId } });
    const application = { applicationId };
    const { token } = await api.webhooks!.post!({ ...application, webhook: { name: unique() } });
    await fetch(`${published.test.client.url}/webhooks/${token}`, { method: 'POST', body: '12345' });
    const bytes = { webhook: { 'public.rest': 5 } };
    const time = { start: -3_600_000, end: 0, asBytes: true };
    expect(await api.application!.payloadCounts!({ ...application, ...time })).toEqual(bytes);
    expect(await api.org!.payloadCounts!({ orgId, ...time })).toEqual(bytes);
    expect(await api.me!.payloadCounts!(time)).toEqual({});
  });
}
