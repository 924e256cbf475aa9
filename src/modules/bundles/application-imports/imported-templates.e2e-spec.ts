import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeApplication, makeMember, makeOrg, uniqueName } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { Flow } from '../../flows/flows/flow.resource.js';
import { NODE_KINDS } from '../../../workflows/nodes/index.js';
import { faultOfSettings } from '../../../workflows/nodes/node-fault.js';

const root = mkdtempSync(join(tmpdir(), 'fieldwright-templates-'));
cpSync('templates', join(root, 'shipped'), { recursive: true });
const { test, user } = suite({ TEMPLATES_DIR: root });

const write = (path: string, content: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};
/** Creates a template with one valid webhook and the given number of invalid ones. */
function faulty(name: string, faults: number): void {
  const resources = [{ name: 'Orders' }, ...Array.from({ length: faults }, () => ({ responseCode: 202 }))];
  write(`${name}/webhooks.yaml`, JSON.stringify({ resourceType: 'Webhook', resources, version: 1 }));
}
for (const name of ['faulty', 'broken', 'large'])
  write(
    `${name}/application.yaml`,
    JSON.stringify({ resourceType: 'Application', resources: [{ name }], version: 1 }),
  );
faulty('faulty', 1);
faulty('broken', 101);
write('large/dataTables/rows.csv', 'x'.repeat(1024 * 1024 + 1));
afterAll(() => rmSync(root, { recursive: true }));

interface Template {
  id: string;
  name: string;
  description?: string;
  authorName?: string;
  readme: string;
  summary: Record<string, number>;
}
const COUNTS = [
  'deviceCount',
  'deviceRecipeCount',
  'flowCount',
  'webhookCount',
  'dataTableCount',
  'experienceEndpointCount',
  'experienceGroupCount',
  'experienceUserCount',
  'experienceVersionCount',
  'experienceViewCount',
];

const get = async (path: string) => (await test.client.get(path, { token: user.token })).body;
const templates = async (): Promise<Template[]> => (await get('/applicationTemplates')).items;
const idOf = async (name: string): Promise<string> =>
  (await templates()).find((template) => template.name === name)!.id;
const make = (body: object, token = user.token, query = '') =>
  test.client.post(`/applications${query}`, { name: uniqueName(), ...body }, { token });
const limited = (limits: object) =>
  test.dataSource.query('UPDATE users SET limits = $2 WHERE id = $1', [user.id, JSON.stringify(limits)]);

/** Classes of workflows that the engine runs. */
const RUN = ['cloud', 'customNode', 'experience'];

describe('application created from a template', () => {
  it('contains everything listed in the summary of a built-in template', async () => {
    const shipped = (await templates()).filter(({ authorName }) => authorName !== undefined);
    expect(shipped.length).toBeGreaterThanOrEqual(6);
    let globals = 0;
    for (const { id, name, description, readme, summary } of shipped) {
      const query = `?summaryInclude=${COUNTS.join(',')}`;
      const { status, body } = await make({ name: 'Mine', applicationTemplateId: id }, user.token, query);
      const held = Object.fromEntries(COUNTS.map((count) => [count, summary[count]]));
      expect({ of: name, status, ...body }).toMatchObject({
        of: name,
        status: 201,
        ...{ name: 'Mine', description, appliedTemplateIds: [id], ownerId: user.id, summary: held },
      });
      globals += body.globals?.length ?? 0;
      expect((await get(`/applications/${body.id}/readme`)).content).toBe(readme);
      const flowsOf = async (flowClass: string): Promise<object[]> =>
        (await get(`/applications/${body.id}/flows?flowClass=${flowClass}`)).items;
      const flows = await flowsOf('cloud');
      expect([...flows, ...(await flowsOf('experience'))]).not.toEqual([]);
      expect(flows.filter((flow) => !('enabled' in flow) || flow.enabled)).toEqual([]);
      const logs = await get(`/applications/${body.id}/importLogs?limit=10`);
      expect(logs).toMatchObject([{ status: 'completed', validationErrors: [] }]);
      expect(logs).toHaveLength(1);
    }
    expect(globals).toBeGreaterThan(0);
  });

  it('contains valid workflow nodes if the template is built-in', async () => {
    const shipped = (await templates()).filter(({ authorName }) => authorName !== undefined);
    const checked: string[] = [];
    for (const { id, name } of shipped) {
      const { body } = await make({ applicationTemplateId: id });
      for (const flowClass of ['cloud', 'edge', 'experience', 'customNode']) {
        const flows = (await get(`/applications/${body.id}/flows?flowClass=${flowClass}`)).items as Flow[];
        for (const flow of flows)
          for (const node of flow.nodes) {
            const of = `${name}, ${flow.name}, ${node.id}`;
            expect({ of, fault: faultOfSettings(node) }).toEqual({ of, fault: undefined });
            // A type that the platform does not know is stored, and fails when it runs.
            if (RUN.includes(flowClass))
              expect({ of, runs: NODE_KINDS.get(node.type)?.run !== undefined }).toEqual({ of, runs: true });
            checked.push(node.type);
          }
      }
    }
    expect(checked).toEqual(expect.arrayContaining(['LoopNode', 'SwitchNode', 'StoreValueNode']));
  });

  it('has pages whose workflows find the machines of the signed-in customer', async () => {
    const { body } = await make({ applicationTemplateId: await idOf('Service portal') });
    const path = `/applications/${body.id}`;
    const [ada] = (await get(`${path}/experience/users`)).items as { id: string }[];
    const { queryTemplate } = (
      (await get(`${path}/flows?flowClass=experience&filterField=name&filter=Machines`)).items as {
        nodes: { config: { queryTemplate: string } }[];
      }[]
    )[0]!.nodes[0]!.config;
    const query = encodeURIComponent(queryTemplate.replace('{{experience.user.id}}', ada!.id));
    const machines = (await get(`${path}/devices?query=${query}`)).items as { name: string }[];
    expect(machines.map(({ name }) => name)).toEqual(['Compressor 1', 'Compressor 2']);
    const develop = await get(`${path}/experience/versions/develop`);
    const views = (await get(`${path}/experience/views`)).items as { id: string; name: string }[];
    const missing = views.find(({ name }) => name === 'Not there')!;
    expect(develop).toMatchObject({ notFoundReply: { type: 'page', value: missing.id, statusCode: 404 } });
    expect(missing).toMatchObject({ layoutName: 'Frame' });
  });

  it('gives properties of the body precedence over those of the template', async () => {
    const templateId = await idOf('Pump station');
    const given = {
      name: 'North',
      description: 'Ours',
      globals: [{ key: 'stopOnCritical', json: 'false' }],
      endpointSlug: uniqueName('slug'),
      endpointDefaultCors: true,
      blobUrlTTL: 3600,
    };
    const other = newId();
    const { status, body } = await make({
      ...given,
      appliedTemplateIds: [other],
      applicationTemplateId: templateId.toUpperCase(),
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...given, appliedTemplateIds: [other, templateId] });
    expect((await get(`/applications/${body.id}`)).globals).toEqual(given.globals);
    const again = await make({ applicationTemplateId: templateId, appliedTemplateIds: [templateId] });
    expect(again.body.appliedTemplateIds).toEqual([templateId]);
  });

  it('requires the role edit in the organization and writes one audit log entry', async () => {
    const { id: orgId } = await makeOrg(test, user.token);
    const applicationTemplateId = await idOf('Leak alarm');
    const { token: collaborator } = await makeMember(test, orgId, 'collaborate');
    expect((await make({ orgId, applicationTemplateId }, collaborator)).status).toBe(403);
    const { token: editor } = await makeMember(test, orgId, 'edit');
    const { status, body } = await make({ name: 'Cellar', orgId, applicationTemplateId }, editor);
    expect({ status, ownerId: body.ownerId }).toEqual({ status: 201, ownerId: orgId });
    const entries = (await get(`/orgs/${orgId}/audit-logs`)).items as Record<string, unknown>[];
    expect(entries.filter(({ primaryTargetId }) => primaryTargetId === body.id)).toMatchObject([
      { primaryTargetType: 'Application', primaryTargetName: 'Cellar', responseStatus: 201 },
    ]);
  });

  it('rejects an unknown template, one that is too large and one with too many faults', async () => {
    for (const [applicationTemplateId, message] of [
      [newId(), 'must be the ID of a template'],
      [
        await idOf('large'),
        'is a template that is too large: create an empty application and apply the template to it',
      ],
      [await idOf('broken'), 'is a template with too many errors'],
    ] as const)
      expect(await make({ applicationTemplateId })).toMatchObject({
        status: 400,
        body: { type: 'Validation', message: `application.applicationTemplateId ${message}` },
      });
    const full = Array.from({ length: 1000 }, newId);
    const { body } = await make({
      applicationTemplateId: await idOf('faulty'),
      appliedTemplateIds: full,
    });
    expect(body.message).toBe(
      'application.appliedTemplateIds must have at most 1000 entries with the template',
    );
    expect((await get('/applications')).totalCount).toBe(0);
  });

  it('omits resources that cannot be imported and lists them in the import log', async () => {
    const { status, body } = await make({ applicationTemplateId: await idOf('faulty') });
    expect({ status, summary: body.summary }).toMatchObject({ status: 201, summary: { webhookCount: 1 } });
    const [log] = await get(`/applications/${body.id}/importLogs`);
    expect(log).toMatchObject({ status: 'completed', validationErrors: [{ type: 'Webhook' }] });
  });

  it("enforces the owner's limits and unique slugs, and leaves nothing behind on failure", async () => {
    const applicationTemplateId = await idOf('Cold chain');
    const { endpointSlug } = await makeApplication(test, user.token, { endpointSlug: uniqueName('slug') });
    const refused = async (body: object = {}) => {
      const answer = await make({ applicationTemplateId, ...body });
      expect(answer.status).toBe(400);
      return answer.body.message;
    };
    expect(await refused({ endpointSlug })).toBe('application.endpointSlug is not available');
    await limited({ application: 1 });
    expect(await refused()).toBe('The limit of 1 applications is reached');
    await limited({ device: 1 });
    expect(await refused()).toBe('The limit of 1 devices is reached');
    await limited({});
    expect((await get('/applications')).totalCount).toBe(1);
    expect((await make({ applicationTemplateId })).status).toBe(201);
  });

  it('is created concurrently with another one and with an import of the same owner', async () => {
    const applicationTemplateId = await idOf('Uplink bridge');
    await test.dataSource.query(
      `INSERT INTO import_turns (owner_id, import_id, ends_at) VALUES ($1, $2, now() + interval '1 hour')`,
      [user.id, newId()],
    );
    await limited({ application: 2 });
    const answers = await Promise.all([1, 2, 3].map(() => make({ applicationTemplateId })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400]);
    expect((await get('/applications')).totalCount).toBe(2);
  });
});
