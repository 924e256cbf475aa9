import { endOf } from '../../../test/exports.js';
import { makeApplication, makeMember, makeOrg, makeUser, tokenOf } from '../../../test/make.js';
import { suite } from '../../../test/suite.js';
import { zipOf, type ZippedContents } from '../../../test/zip-files.js';

const { test, user, application } = suite();

/** Sends a form: answers the status and the body, held to the document as all others are. */
async function send(path: string, fields: Record<string, unknown>, bundle?: Buffer, token = user.token) {
  const form = new FormData();
  if (bundle) form.append('importBundle', new Blob([new Uint8Array(bundle)]), 'bundle.zip');
  for (const [name, value] of Object.entries(fields))
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  return test.client.post(path, form, { token });
}
const importNew = async (
  contents: ZippedContents,
  fields: Record<string, unknown> = {},
  token = user.token,
) => send('/applications/import', fields, await zipOf(contents), token);
const importInto = async (contents: ZippedContents, options: object = {}) =>
  send(`/applications/${application.id}/import`, { options }, await zipOf(contents));
const list = async (id: string, path: string): Promise<any[]> => {
  const { body } = await test.client.get(`/applications/${id}/${path}`, { token: user.token });
  return body.items;
};
const APPLICATION =
  'resourceType: Application\nresources:\n- id: ~exportplaceholderid-application-a~\n  name: Pumps\nversion: 1\n';
const yaml = (resourceType: string, resources: object[]) =>
  `resourceType: ${resourceType}\nresources: ${JSON.stringify(resources)}\nversion: 1\n`;
const id = (word: string, name: string) => `~exportplaceholderid-${word}-${name}~`;

describe('An import', () => {
  it('makes an application of a bundle that others made: ids are new, and what names them is rewired', async () => {
    const { status, body } = await importNew({
      'application.yaml': yaml('Application', [
        {
          id: id('application', 'pumps'),
          name: 'Pumps',
          description: 'All pumps',
          globals: [{ key: 'self', json: JSON.stringify(id('application', 'pumps')) }],
          imagePath: './a.png',
          authorName: 'Ada',
          keywords: ['x'],
          readmePath: './README.md',
        },
      ]),
      'README.md': `# ${id('application', 'pumps')}`,
      'index.yaml': 'name: Templates\nresourceTypes:\n',
      'devices.yaml': yaml('DeviceTree', [
        {
          id: id('device', 'station'),
          name: 'Station',
          deviceClass: 'system',
          exportHash: 'x',
          children: [
            { id: id('device', 'pump'), name: 'Pump', tags: [{ key: 'of', value: id('device', 'station') }] },
          ],
        },
      ]),
      'dashboards/Main.yaml': yaml('Dashboard', [{ id: id('dashboard', 'main'), name: 'Main' }]),
      'webhooks.yaml': yaml('Webhook', [
        { id: id('webhook', 'orders'), name: 'Orders', token: id('webhookToken', 'orders'), unknown: 1 },
      ]),
      'workflows/Alarm.yaml': yaml('Flow', [
        {
          id: id('flow', 'alarm'),
          name: 'Alarm',
          triggers: [{ type: 'webhook', key: id('webhook', 'orders'), outputIds: [['http']] }],
          nodes: [
            {
              id: 'http',
              type: 'HTTPNode',
              config: { uri: `https://a.example.com/${id('webhookToken', 'orders')}` },
            },
          ],
        },
      ]),
      'workflowVersions/v1.yaml': yaml('FlowVersion', [
        { id: id('flowVersion', 'v1'), flowId: id('flow', 'alarm'), version: 'v1', triggers: [], nodes: [] },
      ]),
      'dataTables/Log.yaml': yaml('DataTable', [
        {
          id: id('dataTable', 'log'),
          name: 'Log',
          localFilename: './Log.csv',
          columns: [
            { name: 'a', dataType: 'string', constraint: 'optional' },
            { name: 'n', dataType: 'number', constraint: 'optional' },
          ],
        },
      ]),
      'dataTables/Log.csv': `id,a,n\n575ec8687ae143cd83dc4a97,${id('device', 'pump')},1.5\n,"",\n`,
      'files/images/a.txt': 'hello',
      'files/b.yaml': 'not: ours',
    });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { application: { name: 'Pumps', description: 'All pumps', ownerId: user.id } },
    });
    const { id: made, globals } = body.application;
    expect(globals).toEqual([{ key: 'self', json: JSON.stringify(made) }]);
    expect(body.validationErrors).toEqual([
      { type: 'Dashboard', message: '1 resources of this type are left out: it is not known here' },
    ]);
    const devices = await list(made, 'devices');
    const [pump, station] = ['Pump', 'Station'].map((name) => devices.find((device) => device.name === name));
    expect(pump).toMatchObject({ parentId: station.id, tags: [{ key: 'of', value: station.id }] });
    const [webhook] = await list(made, 'webhooks');
    const [flow] = await list(made, 'flows');
    expect(flow).toMatchObject({
      name: 'Alarm',
      enabled: false,
      triggers: [{ key: webhook.id }],
      nodes: [{ config: { uri: `https://a.example.com/${webhook.token}` } }],
    });
    expect(await list(made, `flows/${flow.id}/versions`)).toMatchObject([{ version: 'v1', flowId: flow.id }]);
    const [table] = await list(made, 'data-tables');
    expect(await list(made, `data-tables/${table.id}/rows`)).toMatchObject([
      { id: '575ec8687ae143cd83dc4a97', a: pump.id, n: 1.5 },
      { a: '', n: null },
    ]);
    const files = await list(made, 'files');
    expect(files.map((file) => [file.parentDirectory + file.name, file.type, file.status]).sort()).toEqual([
      ['/b.yaml', 'file', 'completed'],
      ['/images', 'directory', 'completed'],
      ['/images/a.txt', 'file', 'completed'],
    ]);
    const readme = await test.client.get(`/applications/${made}/readme`, { token: user.token });
    expect(readme.body.content).toBe(`# ${made}`);
    const { body: logs } = await test.client.get(`/applications/${made}/importLogs`, { token: user.token });
    expect(logs).toMatchObject([
      { applicationId: made, status: 'completed', importSourceType: 'importBundle' },
    ]);
  });
});
