import type { Published } from '../../../../test/contract/published.js';
import { uniqueName } from '../../../../test/make/make.js';

/** Tests integrations. */
export function drive(published: Published): void {
  it('manages integrations', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const sqsConfig = { queueUrl: 'https://sqs.example.com/1/field', accessKeyId: 'AKIA' };
    const made = await api.integrations!.post!({
      applicationId,
      integration: {
        name: 'Orders',
        integrationType: 'sqs',
        sqsConfig: { ...sqsConfig, secretAccessKey: 'hidden' },
      },
    });
    expect(made).toMatchObject({ name: 'Orders', sqsConfig, enabled: true });
    expect(await api.integrations!.get!({ applicationId, filter: 'or*' })).toMatchObject({ items: [made] });
    const own = { applicationId, integrationId: made.id };
    expect(await api.integration!.get!(own)).toEqual(made);
    const changed = await api.integration!.patch!({ ...own, integration: { enabled: false } });
    expect(changed).toMatchObject({ enabled: false, sqsConfig });
    expect(await api.integration!.delete!(own)).toEqual({ success: true });
  });
}
