import { makeRuns } from '../../../../test/make/flows.js';
import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

const LOG = { id: 'log', type: 'DebugNode', config: { message: 'Still there' }, outputIds: [[]] };
const BUTTON = { type: 'virtualButton', key: 'go', config: {}, outputIds: [['log']] };
const FLOW = { triggers: [BUTTON], nodes: [LOG] };

/** Tests workflows, their versions, runs and storage, and webhooks. */
export function drive(published: Published): void {
  it('manages workflows', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const { id: flowId } = await api.flows!.post!({ applicationId, flow: { name: 'Pumps', ...FLOW } });
    const own = { applicationId, flowId };
    const lists = [
      { triggerFilter: [{ type: 'virtualButton', key: 'go' }, { type: 'timer' }] },
      { query: { name: { $startsWith: 'Pu' } }, allVersions: true },
      { flowClass: 'cloud', includeCustomNodes: 'False', filter: 'pu*' },
    ];
    for (const list of lists)
      expect((await api.flows!.get!({ applicationId, ...list })).items).toMatchObject([
        { id: flowId, ...FLOW },
      ]);
    expect((await api.flows!.get!({ applicationId, triggerFilter: [{ type: 'timer' }] })).count).toBe(0);
    const develop = { applicationId, version: 'develop' };
    expect((await api.flows!.getByVersion!(develop)).items).toMatchObject([{ flowId }]);
    const flow = { description: 'Every day' };
    expect(await api.flow!.patch!({ ...own, flow })).toMatchObject(flow);
    expect(await api.flow!.get!({ ...own, includeCustomNodes: true })).toMatchObject({
      ...flow,
      customNodes: [],
      customNodeVersions: [],
    });
    expect(await api.flow!.delete!(own)).toEqual({ success: true });
    await expect(api.flow!.get!(own)).rejects.toMatchObject({ statusCode: 404 });
  });

  it('manages versions of workflows', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const { id: flowId } = await api.flows!.post!({ applicationId, flow: { name: 'Pumps', ...FLOW } });
    const own = { applicationId, flowId };
    const { id: flowVersionId } = await api.flowVersions!.post!({
      ...own,
      flowVersion: { version: '1.0', ...FLOW },
    });
    await api.flowVersions!.post!({ ...own, flowVersion: { version: '0.9' } });
    const listed = await api.flowVersions!.get!({ ...own, query: { version: '1.0' } });
    expect(listed).toMatchObject({ items: [{ id: flowVersionId, version: '1.0' }] });
    const flowVersion = { notes: 'Warns earlier' };
    const version = { ...own, flowVersionId };
    expect(await api.flowVersion!.patch!({ ...version, flowVersion })).toMatchObject(flowVersion);
    expect(await api.flowVersion!.get!(version)).toMatchObject({ ...flowVersion, ...FLOW });
    expect(await api.flowVersion!.errors!(version)).toMatchObject({ errors: [] });
    expect(await api.flowVersion!.stats!(version)).toHaveProperty('metrics');
    expect(await api.flowVersion!.getLogEntries!(version)).toEqual([]);
    const options = { query: { version: { $startsWith: '0.' } } };
    expect(await api.flowVersions!.delete!({ ...own, options })).toMatchObject({ removed: 1 });
    expect(await api.flowVersion!.delete!(version)).toEqual({ success: true });
  });

  it('runs workflows and reads the results', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const made = await api.flows!.post!({ applicationId, flow: { name: 'Pumps', ...FLOW } });
    const own = { applicationId, flowId: made.id };
    const button = { key: 'go', payload: { temp: 99 } };
    expect(await api.flow!.pressVirtualButton!({ ...own, button })).toEqual({ success: true });
    await makeRuns(published.test, made, [{ finishedAt: new Date() }]);
    expect((await api.flow!.getLogEntries!({ ...own, limit: 5 })).length).toBeGreaterThan(0);
    expect(await api.flow!.errors!({ ...own, duration: 3_600_000 })).toMatchObject({ errors: [] });
    const day = { duration: 86_400_000, resolution: 60_000 };
    expect((await api.flow!.stats!({ ...own, ...day })).metrics).toHaveLength(1440);
    const entry = { key: 'last', value: { temp: 99 } };
    expect(await api.flow!.setStorageEntry!({ ...own, entry })).toEqual({ success: true });
    expect(await api.flow!.getStorageEntries!(own)).toMatchObject({ last: { temp: 99 } });
    expect(await api.flow!.getStorageEntriesMetadata!(own)).toHaveProperty('keysCount', 1);
    expect(await api.flow!.clearStorageEntries!(own)).toEqual({});
  });

  it('imports workflows listed from another application', async () => {
    const { api } = await published.signedIn();
    const application = { name: uniqueName() };
    const { id: from } = await api.applications!.post!({ application });
    const { id: to } = await api.applications!.post!({ application });
    const { id: flowId } = await api.flows!.post!({ applicationId: from, flow: { name: 'Pumps', ...FLOW } });
    const flowVersion = { version: '1.0', ...FLOW };
    const { id: defaultVersionId } = await api.flowVersions!.post!({
      applicationId: from,
      flowId,
      flowVersion,
    });
    await api.flow!.patch!({ applicationId: from, flowId, flow: { defaultVersionId } });
    const { items: flows } = await api.flows!.get!({ applicationId: from });
    const answer = await api.flows!.import!({ applicationId: to, importData: { flows, flowVersions: [] } });
    expect(answer).toMatchObject({ flows: [{ name: 'Pumps', applicationId: to, ...FLOW }] });
  });

  it('manages webhooks and calls them', async () => {
    const { api } = await published.signedIn();
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const { id: webhookId, token } = await api.webhooks!.post!({
      applicationId,
      webhook: { name: 'Orders' },
    });
    const own = { applicationId, webhookId };
    const listens = { triggers: [{ type: 'webhook', key: webhookId, config: {}, outputIds: [] }] };
    await api.flows!.post!({ applicationId, flow: { name: 'Orders', ...listens } });
    expect(await api.webhook!.patch!({ ...own, webhook: { responseCode: 204 } })).toMatchObject({
      responseCode: 204,
    });
    const called = await fetch(`${published.test.client.url}/webhooks/${token}`, {
      method: 'POST',
      body: '{}',
    });
    expect(called.status).toBe(204);
    expect((await api.webhooks!.get!({ applicationId })).items).toMatchObject([{ id: webhookId }]);
    expect(await api.webhook!.get!(own)).toMatchObject({ token });
    expect(await api.webhook!.delete!({ ...own, includeWorkflows: 'TRUE' })).toEqual({ success: true });
    expect((await api.flows!.get!({ applicationId })).count).toBe(0);
  });
}
