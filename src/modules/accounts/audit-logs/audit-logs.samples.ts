import { INSTANCE } from '../../../../test/contract/sample-paths.js';
import { type SampleRows } from '../../../../test/contract/samples.js';
import { uniqueName } from '../../../../test/make/make.js';

export const ROWS: SampleRows = {
  '/instance/{instanceId}': (samples) => samples.idOf(INSTANCE),
  '/orgs/{orgId}/audit-logs/{auditLogId}': async (samples, { orgId }) => {
    await samples.send('PATCH', `/orgs/${orgId}`, { description: uniqueName() });
    return (await samples.send('GET', `/orgs/${orgId}/audit-logs`)).body.items[0].id;
  },
  '/instance/{instanceId}/audit-logs/{instanceAuditLogId}': async (samples, { instanceId }) => {
    await samples.send('PATCH', `/instances/${instanceId}`, { mfaMode: 'notRequired' });
    return (await samples.send('GET', `/instance/${instanceId}/audit-logs`)).body.items[0].id;
  },
};
