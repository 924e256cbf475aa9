import { instanceWithNodes } from '../../../../test/make/custom-nodes.js';
import { CUSTOM_NODE, makeFlow, makeVersion } from '../../../../test/make/flows.js';
import { makeApplication, makeMember, makeOrg, makeUser, tokenOf } from '../../../../test/make/make.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';

const CONFIG = { outputCount: 1, resultMode: 'optional', fields: [] };
const MORE = {
  description: 'The mean',
  shortDescription: 'Averages',
  iconData: 'data:image/png;base64,iVBORw0KGgo=',
  docsUrl: 'https://example.com',
  category: 'logic',
};
const CLOUD = { cloud: true, experience: true, customNode: true };

const { test } = suite();

const instance = () => instanceWithNodes(test);

const palette = (token: string, applicationId: string) =>
  test.client.get(`/applications/${applicationId}/flows/palette`, { token });

describe('GET /applications/{applicationId}/flows/palette', () => {
  it('returns all versions of custom nodes and those of the instance, by name, with one statement', async () => {
    const { id: instanceId, made } = await instance();
    const { token } = await makeUser(test, { instanceId });
    const { id: applicationId } = await makeApplication(test, token);
    const given = { ...CUSTOM_NODE, customNodeConfig: CONFIG };
    const b = await makeFlow(test, token, applicationId, { ...given, ...MORE, name: 'b' });
    const { triggers, nodes } = CUSTOM_NODE;
    const first = await makeVersion(test, token, b, { version: 'first', triggers, nodes });
    const second = await makeVersion(test, token, b, { ...given, version: 'second', flowClass: undefined });
    const a = await makeFlow(test, token, applicationId, { ...CUSTOM_NODE, name: 'a' });
    await makeFlow(test, token, applicationId, { name: 'no custom node' });
    const shared = await made({ ...MORE, name: 'aa', customNodeConfig: CONFIG });
    const { status, body } = await palette(token, applicationId);
    expect(status).toBe(200);
    const ofB = { id: b.id, name: 'b', ...MORE, compatibleFlowClasses: CLOUD };
    expect(body).toEqual({
      applicationId,
      customNodes: [
        { id: a.id, name: 'a', version: 'develop', compatibleFlowClasses: CLOUD },
        { id: shared.id, name: 'aa', ...MORE, customNodeConfig: CONFIG, compatibleFlowClasses: CLOUD },
        { ...ofB, customNodeConfig: CONFIG, version: 'develop' },
        { ...ofB, customNodeConfig: CONFIG, version: 'second', flowVersionId: second.id },
        { ...ofB, version: 'first', flowVersionId: first.id },
      ],
    });
    const { statements } = await statementCounter(test)(
      'GET',
      `/applications/${applicationId}/flows/palette`,
      token,
    );
    expect(statements.filter((text) => text.includes('flow_versions'))).toHaveLength(1);
  });

  it.each([
    [undefined, undefined, CLOUD],
    [['cloud'], '1.2.0', CLOUD],
    [['edge'], '1.2.0', { edge: '1.2.0', customNode: true }],
    [['edge'], undefined, { edge: true, customNode: true }],
    [[], undefined, CLOUD],
  ])(
    'returns the classes in which a custom node with %j, %s can be executed',
    async (customNodeSupports, minimumAgentVersion, classes) => {
      const { id: instanceId, made } = await instance();
      const { token } = await makeUser(test, { instanceId });
      const { id } = await makeApplication(test, token);
      const more = { name: 'node', customNodeSupports, minimumAgentVersion };
      await makeFlow(test, token, id, { ...CUSTOM_NODE, ...more });
      await made(more);
      const { body } = await palette(token, id);
      expect(body.customNodes.map((node: Record<string, unknown>) => node.compatibleFlowClasses)).toEqual([
        classes,
        classes,
      ]);
    },
  );

  it('excludes other applications, and other instances than that of the owner', async () => {
    const { id: instanceId, made } = await instance();
    const other = await instance();
    const { token } = await makeUser(test, { instanceId });
    const stranger = await makeUser(test, { instanceId: other.id });
    await made({ name: 'mine' });
    await other.made({ name: 'theirs' });
    const { id: neighbour } = await makeApplication(test, token);
    await makeFlow(test, token, neighbour, { ...CUSTOM_NODE, name: 'of the neighbour' });
    const org = await makeOrg(test, token);
    const ofOrg = await makeApplication(test, token, { orgId: org.id });
    const own = await makeApplication(test, token);
    const ofStranger = await makeApplication(test, stranger.token);
    const namesOf = async (as: string, id: string) =>
      (await palette(as, id)).body.customNodes.map(({ name }: { name: string }) => name);
    expect(await namesOf(token, own.id)).toEqual(['mine']);
    expect(await namesOf(token, ofOrg.id)).toEqual(['mine']);
    expect(await namesOf(stranger.token, ofStranger.id)).toEqual(['theirs']);
    expect((await palette(stranger.token, own.id)).status).toBe(404);
  });

  it('requires access to the application', async () => {
    const admin = await makeUser(test);
    const org = await makeOrg(test, admin.token);
    const { id } = await makeApplication(test, admin.token, { orgId: org.id });
    const [viewer, none] = [await makeMember(test, org.id, 'view'), await makeMember(test, org.id, 'none')];
    for (const [token, status] of [
      [viewer.token, 200],
      [none.token, 404],
      [tokenOf(test, viewer.id, ['flows.palette']), 200],
      [tokenOf(test, viewer.id, ['all.Application.read']), 200],
      [tokenOf(test, viewer.id, ['flow.*']), 403],
    ] as const)
      expect((await palette(token, id)).status).toBe(status);
    expect((await test.client.get(`/applications/${id}/flows/palette`)).status).toBe(401);
  });
});
