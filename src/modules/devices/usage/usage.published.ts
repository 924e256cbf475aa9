import { waitForOutcome } from '../../../../test/make/exports.js';
import { makeInstance, makeInstanceMember, uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests usage of applications and owners, and search in applications. */
export function drive(published: Published): void {
  it('counts payloads and finds resources by name', async () => {
    const { api } = await published.signedIn();
    const { id: orgId } = await api.orgs!.post!({ organization: { name: uniqueName() } });
    const { id: applicationId } = await api.applications!.post!({
      application: { name: uniqueName(), orgId },
    });
    const application = { applicationId };
    const webhook = { name: uniqueName() };
    const { id, token } = await api.webhooks!.post!({ ...application, webhook });
    await fetch(`${published.test.client.url}/webhooks/${token}`, { method: 'POST', body: '12345' });
    const payloads = { webhook: { 'public.rest': 1 } };
    const time = { start: -3_600_000, end: 0 };
    expect(await api.application!.payloadCounts!({ ...application, ...time })).toEqual(payloads);
    expect(await api.org!.payloadCounts!({ orgId, ...time })).toEqual(payloads);
    const found = await api.application!.search!({ ...application, filter: webhook.name });
    expect(found).toMatchObject([{ _type: 'webhook', id }]);
    expect(await api.me!.payloadCounts!(time)).toEqual({});
  });

  it('summarizes the usage of an instance and generates a report', async () => {
    const { id: instanceId } = await makeInstance(published.test);
    const { token } = await makeInstanceMember(published.test, 'admin', { instanceId });
    const api = published.client(token);
    const sums = await api.instance!.historicalSummaries!({ instanceId, month: 'now' });
    expect(sums).toMatchObject({ items: [{ resourceId: instanceId, resourceType: 'whitelabel' }] });
    const options = { dateGroupBy: 'day', email: `${uniqueName()}@example.com` };
    const { jobId } = await api.instance!.generateReport!({ instanceId, options });
    expect((await waitForOutcome(published.test, jobId)).status).toBe('completed');
  });
}
