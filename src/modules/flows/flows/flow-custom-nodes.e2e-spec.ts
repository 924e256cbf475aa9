import { CUSTOM_NODE, executing, makeFlow, makeVersion } from '../../../../test/make/flows.js';
import { makeApplication, uniqueName } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const ASKED = 'includeCustomNodes=True';

describe('Workflows with includeCustomNodes', () => {
  const { test, user, application } = suite();

  /**
   * Creates two custom nodes, one with versions, and a workflow that executes both of them, one of another application
   * and one that does not exist.
   */
  async function made() {
    const { token } = user;
    const average = await makeFlow(test, token, application.id, { ...CUSTOM_NODE, name: 'Average' });
    const { flowClass: _flowClass, ...graph } = CUSTOM_NODE;
    const first = await makeVersion(test, token, average, { ...graph, version: 'v1' });
    await makeVersion(test, token, average, { ...graph, version: 'v2' });
    const sum = await makeFlow(test, token, application.id, { ...CUSTOM_NODE, name: 'Sum' });
    const running = await makeVersion(test, token, sum, { ...graph, version: 'v1' });
    const path = `/applications/${application.id}/flows`;
    await test.client.patch(`${path}/${sum.id}`, { defaultVersionId: running.id }, { token });
    const elsewhere = await makeApplication(test, token);
    const foreign = await makeFlow(test, token, elsewhere.id, { ...CUSTOM_NODE });
    const named = [executing(average.id, 'v1'), executing(sum.id), executing(foreign.id), executing(newId())];
    const nodes = named.map((node, i) => ({ ...node, id: `node-${i}` }));
    return { path, nodes, customNodes: [average.id, sum.id], versions: [first.id, running.id].sort() };
  }

  const idsOf = ({ customNodes, customNodeVersions }: any) => ({
    customNodes: customNodes?.map(({ id }: { id: string }) => id),
    versions: customNodeVersions?.map(({ id }: { id: string }) => id).sort(),
  });

  it('return their custom nodes in every operation, but only on request', async () => {
    const { path, nodes, ...expected } = await made();
    const { token } = user;
    const { client } = test;
    const flow = await client.post(`${path}?${ASKED}`, { name: uniqueName(), nodes }, { token });
    expect(idsOf(flow.body)).toEqual(expected);
    const flowPath = `${path}/${flow.body.id}`;
    const version = await client.post(`${flowPath}/versions?${ASKED}`, { version: 'v1', nodes }, { token });
    expect(idsOf(version.body)).toEqual(expected);
    const versionPath = `${flowPath}/versions/${version.body.id}`;
    for (const at of [path, `${path}/version?version=v1`, flowPath, `${flowPath}/versions`, versionPath]) {
      const plain = await client.get(at, { token });
      const asked = await client.get(`${at}${at.includes('?') ? '&' : '?'}${ASKED}`, { token });
      expect({ at, ...idsOf(asked.body) }).toEqual({ at, ...expected });
      expect(plain.body).not.toHaveProperty('customNodes');
      expect(asked.body).toMatchObject(plain.body);
    }
    for (const [at, change] of [
      [flowPath, { description: 'Averages' }],
      [versionPath, { notes: 'Averages' }],
    ] as const)
      expect(idsOf((await client.patch(`${at}?${ASKED}`, change, { token })).body)).toEqual(expected);
  });

  it('return custom nodes like the single resource', async () => {
    const { path, nodes, customNodes } = await made();
    const { token } = user;
    const { body } = await test.client.post(`${path}?${ASKED}`, { name: uniqueName(), nodes }, { token });
    const own = await test.client.get(`${path}/${customNodes[0]}`, { token });
    const { customNodeUseCount: _used, ...shown } = own.body;
    expect(body.customNodes[0]).toMatchObject(shown);
    const [{ flowId, id }] = body.customNodeVersions;
    const version = await test.client.get(`${path}/${flowId}/versions/${id}`, { token });
    expect(body.customNodeVersions[0]).toMatchObject({ id, version: version.body.version });
  });

  it('return empty arrays if no custom node is executed', async () => {
    const path = `/applications/${application.id}/flows?${ASKED}`;
    const { body } = await test.client.post(path, { name: uniqueName() }, user);
    expect(idsOf(body)).toEqual({ customNodes: [], versions: [] });
  });
});
