import { importsOf } from '../../../../test/make/bundle-imports.js';
import { CUSTOM_NODE } from '../../../../test/make/flows.js';
import { makeApplication, makeMember, makeOrg, makeUser, uniqueName } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { reachable, upload } from '../../../../test/make/upload-forms.js';

const { test, user, application } = suite();
const imports = importsOf(test, user);
const clone = (body?: object, token = user.token) =>
  test.client.post(`/applications/${application.id}/clone`, body, { token });
const make = async (path: string, body: object): Promise<any> => {
  const answer = await test.client.post(`/applications/${application.id}/${path}`, body, {
    token: user.token,
  });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
};
const ALL = {
  includeDevices: true,
  includeFiles: true,
  includePrivateFiles: true,
  includeDataTableRows: true,
};
/** Properties that differ in every copy. */
const OWN = new Set([
  'id',
  'creationDate',
  'lastUpdated',
  'url',
  's3etag',
  'summary',
  'token',
  'enabled',
  'ownerName',
]);

/** Returns the resources of a list without properties that always differ; IDs are replaced with names. */
async function shownOf(id: string, path: string, names: Map<string, string>): Promise<unknown[]> {
  const items = await imports.list(id, path);
  for (const item of items) names.set(item.id, item.name ?? item.version ?? '');
  const kept = items.map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !OWN.has(name))),
  );
  const text = JSON.stringify(kept)
    .replaceAll(id, 'application')
    .replace(/[\da-f]{24}/g, (own) => names.get(own) ?? own);
  return (JSON.parse(text) as any[]).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

async function fill(): Promise<void> {
  const { token } = user;
  const station = await make('devices', { name: 'Station', deviceClass: 'system', attributes: [] });
  const gateway = await make('devices', { name: 'Gate', deviceClass: 'gateway', parentId: station.id });
  const valve = await make('devices', {
    name: 'Valve',
    deviceClass: 'peripheral',
    gatewayId: gateway.id,
    tags: [{ key: 'of', value: station.id }],
    attributes: [{ name: 'x', dataType: 'number', description: 'ü\u2028 "quoted"\n' }],
  });
  await make('device-recipes', { name: 'Valves', deviceClass: 'peripheral', gatewayId: gateway.id });
  const webhook = await make('webhooks', { name: 'Orders', responseCode: 204, basicAuthUsername: 'a' });
  const node = await make('flows', { ...CUSTOM_NODE, name: 'Average' });
  const flow = await make('flows', {
    name: 'Alarm',
    triggers: [{ type: 'webhook', key: webhook.id, outputIds: [['get']] }],
    nodes: [
      {
        id: 'get',
        type: 'GetDeviceNode',
        config: { query: JSON.stringify({ id: valve.id }), node: node.id },
      },
    ],
  });
  const version = await make(`flows/${flow.id}/versions`, { version: 'v1' });
  const path = `/applications/${application.id}/flows/${flow.id}`;
  await test.client.patch(path, { defaultVersionId: version.id }, { token });
  const table = await make('data-tables', {
    name: 'Log',
    columns: [
      { name: 's', dataType: 'string', constraint: 'optional' },
      { name: 'n', dataType: 'number', constraint: 'optional' },
      { name: 'b', dataType: 'boolean', constraint: 'optional' },
    ],
  });
  for (const row of [{ s: '', n: 1.5e-7, b: false }, { s: `a,"b"\r\n${valve.id}` }, { n: 0 }])
    await make(`data-tables/${table.id}/rows`, row);
  for (const list of ['files', 'privateFiles']) {
    await make(list, { name: 'empty', type: 'directory', parentDirectory: '/x/' });
    const file = await make(list, {
      name: 'ü?.bin',
      type: 'file',
      parentDirectory: '/x/',
      contentType: 'image/png',
    });
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    expect((await upload(reachable(file.upload, test), bytes)).status).toBeLessThan(300);
  }
  const globals = [{ key: 'own', json: JSON.stringify(application.id), description: 'a', cloudOnly: true }];
  await test.client.patch(`/applications/${application.id}`, { globals, blobUrlTTL: 7_200 }, { token });
  await test.client.patch(
    `/applications/${application.id}/readme`,
    { content: `# ${station.id}\n` },
    { token },
  );
}

describe('application clone', () => {
  it('copies users and endpoints with their groups, and groups with their devices', async () => {
    const device = await make('devices', { name: 'Gate' });
    const all = await make('experience/groups', { name: 'All', deviceIds: [device.id] });
    const endpoint = await make('experience/endpoints', { method: 'get', route: '/a', access: 'group' });
    const some = await make('experience/groups', {
      name: 'Some',
      parentId: all.id,
      experienceEndpointIds: [endpoint.id],
    });
    const ada = { email: 'ada@example.com', password: 'Battery-Staple-9' };
    await make('experience/users', { ...ada, experienceGroupIds: [some.id] });
    const { status, body } = await clone({ includeDevices: true });
    expect([status, body.validationErrors]).toEqual([201, []]);
    const { id } = body.application;
    const groups = await imports.list(id, 'experience/groups');
    const [copyOfAll, copyOfSome] = ['All', 'Some'].map((name) =>
      groups.find((group) => group.name === name),
    );
    const [copy] = await imports.list(id, 'devices');
    expect(copyOfAll).toMatchObject({ deviceIds: [copy.id] });
    expect(copyOfSome).toMatchObject({
      parentId: copyOfAll.id,
      experienceUserIds: [expect.any(String)],
      experienceEndpointIds: [expect.any(String)],
    });
    expect(groups.map((group) => group.id)).not.toContain(some.id);
  });

  it('copies every property of every resource type, and files byte for byte', async () => {
    await fill();
    const { status, body } = await clone(ALL);
    expect({ status, errors: body.validationErrors }).toEqual({ status: 201, errors: [] });
    const { id: copy } = body.application;
    const { token } = user;
    const [before, after] = [application.id, copy].map((id) => ({ id, names: new Map<string, string>() }));
    const lists = [
      'devices',
      'device-recipes',
      'webhooks',
      'flows?flowClass=cloud',
      'flows?flowClass=customNode',
      'data-tables',
      'files',
      'privateFiles',
    ];
    // Names must be known before references can be replaced with them.
    for (const { id, names } of [before!, after!]) {
      for (const path of lists) await shownOf(id, path, names);
      const [flow] = await imports.list(id, 'flows?flowClass=cloud');
      await shownOf(id, `flows/${flow.id}/versions`, names);
    }
    for (const path of lists) {
      const shown = await shownOf(after!.id, path, after!.names);
      expect([path, shown]).toEqual([path, await shownOf(before!.id, path, before!.names)]);
    }
    for (const { id, names } of [before!, after!]) {
      const [flow] = await imports.list(id, 'flows?flowClass=cloud');
      expect(await shownOf(id, `flows/${flow.id}/versions`, names)).toMatchObject([
        { version: 'v1', flowId: 'Alarm' },
      ]);
      const [table] = await imports.list(id, 'data-tables');
      const rows = await imports.list(id, `data-tables/${table.id}/rows`);
      expect(
        rows.map(({ s, n, b }) => [
          s?.replace(/[\da-f]{24}/, (own: string) => names.get(own)!) ?? null,
          n,
          b,
        ]),
      ).toEqual([
        ['', 1.5e-7, false],
        ['a,"b"\r\nValve', null, null],
        [null, 0, null],
      ]);
      const [file] = (await imports.list(id, 'files')).filter(({ type }) => type === 'file');
      const content = await fetch(test.client.url + new URL(file.url).pathname);
      expect(Buffer.from(await content.arrayBuffer())).toEqual(
        Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
      );
      const readme = await test.client.get(`/applications/${id}/readme`, { token });
      expect(readme.body.content.replace(/[\da-f]{24}/, (own: string) => names.get(own)!)).toBe(
        '# Station\n',
      );
      const { body: own } = await test.client.get(`/applications/${id}`, { token });
      expect(own).toMatchObject({
        blobUrlTTL: 7_200,
        globals: [{ key: 'own', json: JSON.stringify(id), description: 'a', cloudOnly: true }],
      });
    }
  });

  it('copies only the requested parts, for the requested owner', async () => {
    await make('devices', { name: 'A' });
    await make('files', { name: 'x', type: 'directory' });
    const plain = await clone();
    expect(plain.status).toBe(201);
    expect(await imports.list(plain.body.application.id, 'devices')).toEqual([]);
    expect(await imports.list(plain.body.application.id, 'files')).toEqual([]);
    const org = await makeOrg(test, user.token);
    const { body } = await clone({ includeDevices: true, ownerId: org.id, ownerType: 'organization' });
    expect(body.application).toMatchObject({ ownerId: org.id, name: plain.body.application.name });
    expect(await imports.list(body.application.id, 'devices')).toHaveLength(1);
    expect((await clone({ ownerId: null })).body.application.ownerId).toBe(user.id);
    expect((await clone({ ownerType: 'organization' })).status).toBe(400);
  });

  it('writes clones and imports from other applications to the audit logs of both owners', async () => {
    const [org, other] = [await makeOrg(test, user.token), await makeOrg(test, user.token)];
    const source = await makeApplication(test, user.token, { orgId: org.id });
    const target = await makeApplication(test, user.token, { orgId: other.id });
    const path = `/applications/${source.id}/clone`;
    const cloned = async (body: object): Promise<string> =>
      (await test.client.post(path, body, { token: user.token })).body.application.id;
    const beside = await cloned({});
    const elsewhere = await cloned({ ownerId: other.id, ownerType: 'organization' });
    const own = await cloned({ ownerId: null });
    await test.client.post(path, { dryRun: true }, { token: user.token });
    await imports.send(`/applications/${target.id}/import`, { options: { fromApplicationId: source.id } });
    const toldIn = async ({ id }: { id: string }) => {
      const { body } = await test.client.get(`/orgs/${id}/audit-logs?sortDirection=asc`, {
        token: user.token,
      });
      return body.items
        .filter(({ requestAction }: any) => ['clone', 'import'].includes(requestAction))
        .map(({ requestAction, responseStatus, primaryTargetId, responseBody }: any) => [
          `${requestAction} ${responseStatus}`,
          primaryTargetId,
          responseBody.id,
        ]);
    };
    expect(await toldIn(org)).toEqual([
      ['clone 201', source.id, beside],
      ['clone 201', source.id, elsewhere],
      ['clone 201', source.id, own],
      ['import 200', source.id, target.id],
    ]);
    expect(await toldIn(other)).toEqual([
      ['clone 201', elsewhere, elsewhere],
      ['import 200', target.id, target.id],
    ]);
  });

  it('writes nothing in a dry run', async () => {
    await make('devices', { name: 'A' });
    expect(await clone({ dryRun: true, includeDevices: true })).toMatchObject({
      status: 200,
      body: { success: true, requiresJob: false },
    });
    expect((await clone({ dryRun: true, forceJob: true })).body).toEqual({
      success: true,
      requiresJob: true,
    });
    await test.dataSource.query(`UPDATE users SET limits = '{"device": 0}' WHERE id = $1`, [user.id]);
    const refused = await clone({ dryRun: true, includeDevices: true });
    expect(refused).toMatchObject({ status: 400, body: { message: 'The limit of 0 devices is reached' } });
    const { body } = await test.client.get('/applications', { token: user.token });
    expect(body.totalCount).toBe(1);
  });

  it('requires the role admin on the application and permission to create applications for the owner', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id, name: uniqueName() });
    const path = `/applications/${id}/clone`;
    const { token: editor } = await makeMember(test, org.id, 'edit');
    expect((await test.client.post(path, {}, { token: editor })).status).toBe(403);
    const { token: admin } = await makeMember(test, org.id, 'admin');
    expect((await test.client.post(path, {}, { token: admin })).status).toBe(201);
    const stranger = await makeUser(test);
    expect((await clone({}, stranger.token)).status).toBe(404);
    const theirs = await makeOrg(test, stranger.token);
    expect((await clone({ ownerId: theirs.id, ownerType: 'organization' })).status).toBe(404);
    expect((await clone({ ownerId: stranger.id, ownerType: 'user' })).status).toBe(403);
    expect((await clone({ colour: 'red' })).status).toBe(400);
  });
});
