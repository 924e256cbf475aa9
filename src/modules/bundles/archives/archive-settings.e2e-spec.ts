import {
  startAzureArchive,
  startGcsArchive,
  startS3Archive,
  type ArchiveServer,
  type Kind,
} from '../../../../test/doubles/archive-stores.js';
import { makeApplication, makeMember, makeOrg, makeUser, unique } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { newId } from '../../../platform/repositories/resource.js';

const env: Record<string, string> = {};
const servers = {} as Record<Kind, ArchiveServer>;
beforeAll(async () => {
  servers.s3 = await startS3Archive();
  servers.gcs = await startGcsArchive();
  servers.azure = await startAzureArchive();
  for (const kind of ['s3', 'gcs', 'azure'] as const)
    env[`ARCHIVE_${kind.toUpperCase()}_ENDPOINT`] = servers[kind].endpoint;
});
afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));
const { test, user } = suite(env);

const SECRETS = [
  ['s3', 'secretAccessKey'],
  ['gcs', 'keyJson'],
  ['azure', 'accountKey'],
] as const;

let orgId: string;
beforeEach(async () => {
  orgId = (await makeOrg(test, user.token)).id;
});

const create = (archiveConfig: object, more: object = {}) =>
  test.client.post('/applications', { name: unique(), orgId, archiveConfig, ...more }, { token: user.token });
const patch = (id: string, archiveConfig: object | null, more: object = {}, token = user.token) =>
  test.client.patch(`/applications/${id}`, { archiveConfig, ...more }, { token });
const make = () =>
  makeApplication(test, user.token, { orgId, archiveConfig: { s3: servers.s3.settings, directory: orgId } });
const tried = async (directory: string, kind: Kind = 's3') =>
  Object.keys(await servers[kind].objects()).includes(`${directory}/archive-settings.txt`);

async function stored(id: string) {
  const text = 'SELECT archive_config, archive_secrets FROM applications WHERE id = $1';
  const [row] = await test.dataSource.query<
    { archive_config: object | null; archive_secrets: string | null }[]
  >(text, [id]);
  return row!;
}
const opened = async (id: string): Promise<unknown> =>
  JSON.parse(
    test.app.get(SecretBox).open((await stored(id)).archive_secrets!, `applications:archive_secrets:${id}`),
  );

describe('Settings of an archive', () => {
  it.each(SECRETS)('of %s are tried, and their secret is encrypted and never shown', async (kind, member) => {
    const settings = servers[kind].settings;
    const { [member]: secret, ...shown } = settings;
    const { status, body } = await create({ [kind]: settings, directory: orgId });
    expect([status, body.archiveConfig]).toEqual([201, { [kind]: shown, directory: orgId }]);
    expect(await tried(orgId, kind)).toBe(true);
    const answers = await Promise.all(
      [`/applications/${body.id}`, `/applications?orgId=${orgId}`, `/orgs/${orgId}/audit-logs`].map((path) =>
        test.client.get(path, { token: user.token }),
      ),
    );
    const seen = JSON.stringify([
      body,
      ...answers.map((answer) => answer.body),
      await stored(body.id),
      test.log,
    ]);
    // A part that nothing escapes; that of the server for S3 is what its key is called, which is shown.
    const canary = /[\w+/]{40}/.exec(secret!)?.[0];
    expect(canary !== undefined && seen.includes(canary)).toBe(false);
    expect(await opened(body.id)).toEqual({ [`${kind}.${member}`]: secret });
  });

  it('are those of an application from a template too', async () => {
    const { body: templates } = await test.client.get('/applicationTemplates', { token: user.token });
    const { secretAccessKey: secret, ...shown } = servers.s3.settings;
    const config = { s3: servers.s3.settings, directory: orgId };
    const { status, body } = await create(config, { applicationTemplateId: templates.items[0].id });
    expect([status, body.archiveConfig]).toEqual([201, { s3: shown, directory: orgId }]);
    expect(await opened(body.id)).toEqual({ 's3.secretAccessKey': secret });
  });

  it('keep everything that they may have', async () => {
    const { secretAccessKey: _, ...shown } = servers.s3.settings;
    const settings = {
      mode: 'whitelist',
      deviceIds: [newId()],
      deviceTags: [{ key: 'a', value: 'b' }, { key: 'c' }],
      includeDevices: false,
      includeEvents: true,
      includeDataTables: true,
      dataTablesMode: 'blacklist',
      dataTableIds: [newId()],
      directory: '/archive/{{globals.site}}',
      delayDays: 40,
      includeApplicationExport: true,
      applicationExportOptions: {
        credentialName: 'git',
        exportType: 'repo',
        includeDevices: true,
        includeFiles: true,
        includePrivateFiles: true,
        includeDataTableRows: true,
        repo: { branch: 'main', directory: 'd', commitMessage: 'm' },
      },
    };
    const globals = [{ key: 'site', json: JSON.stringify(orgId) }];
    const { status, body } = await create({ ...settings, s3: servers.s3.settings }, { globals });
    expect([status, body.archiveConfig]).toEqual([201, { ...settings, s3: shown }]);
    expect(await tried(`archive/${orgId}`)).toBe(true);
    const { body: seen } = await test.client.get(`/applications/${body.id}`, { token: user.token });
    expect(seen).toEqual(body);
  });

  it.each([
    ['no place', {}],
    ['a credential alone', { credentialName: 'x' }],
    ['two places', { s3: { bucket: 'b' }, gcs: { bucket: 'b' } }],
    ['keys and a credential', { s3: { bucket: 'b', secretAccessKey: 'secret' }, credentialName: 'x' }],
    ['a place without a bucket', { s3: { region: 'eu' } }],
    ['an unknown member', { s3: { bucket: 'b' }, other: 1 }],
    ['an unknown member of a place', { s3: { bucket: 'b', other: 1 } }],
    ['an unknown mode', { s3: { bucket: 'b' }, mode: 'some' }],
    ['no days', { s3: { bucket: 'b' }, delayDays: 0 }],
  ])('are not %s', async (_, archiveConfig) => {
    const { status, body } = await create(archiveConfig);
    expect(status).toBe(400);
    expect(body.message).toMatch(/^application\.archiveConfig/);
  });

  it.each([
    [{ bucket: 'none-is-called-so' }, 'bucket names none that is there'],
    [{ accessKeyId: 'NOBODY' }, 'secretAccessKey may not write there'],
    [{ secretAccessKey: 'another' }, 'secretAccessKey may not write there'],
  ])('are not taken where nothing can be written: %j', async (wrong, message) => {
    const { id } = await make();
    const before = await stored(id);
    const { status, body } = await patch(id, { s3: { ...servers.s3.settings, ...wrong } });
    expect([status, body.message]).toEqual([400, `application.archiveConfig.s3.${message}`]);
    expect(await stored(id)).toEqual(before);
  });

  it('are tried with the globals that the application has, or gets with them', async () => {
    const { id } = await make();
    const globals = [{ key: 'site', json: `"with-${orgId}"` }];
    const settings = { s3: servers.s3.settings, directory: 'a/{{globals.site}}' };
    expect((await patch(id, settings)).body.message).toBe(
      'application.archiveConfig.directory names the global site, which is no text or number',
    );
    expect((await patch(id, settings, { globals })).status).toBe(200);
    expect(await tried(`a/with-${orgId}`)).toBe(true);
    expect((await patch(id, { ...settings, directory: 'b/{{globals.site}}' })).status).toBe(200);
    expect(await tried(`b/with-${orgId}`)).toBe(true);
  });

  it('keep the secret that is not given again, unless the place is of another kind', async () => {
    const { id } = await make();
    const { secretAccessKey, ...shown } = servers.s3.settings;
    const { status, body } = await patch(id, { s3: shown, directory: 'other' });
    expect([status, body.archiveConfig]).toEqual([200, { s3: shown, directory: 'other' }]);
    expect(await opened(id)).toEqual({ 's3.secretAccessKey': secretAccessKey });
    const { accountKey: _, ...place } = servers.azure.settings;
    expect((await patch(id, { azure: place })).body.message).toBe(
      'application.archiveConfig.azure.accountKey is required, or a credentialName',
    );
    expect((await patch(id, { azure: servers.azure.settings })).status).toBe(200);
    expect(await opened(id)).toEqual({ 'azure.accountKey': servers.azure.settings.accountKey });
  });

  it('may sign in with a service credential, and then have no secret', async () => {
    const { id } = await make();
    const { accountKey, ...place } = servers.azure.settings;
    const credentials = `/applications/${id}/credentials`;
    const post = (name: string, azureConfig: object) =>
      test.client.post(credentials, { name, type: 'azure', azureConfig }, { token: user.token });
    expect((await post('store', { accountKey })).status).toBe(201);
    expect((await post('wrong', { accountKey: 'd3Jvbmc=' })).status).toBe(201);
    const { status, body } = await patch(id, { azure: place, credentialName: 'store' });
    expect([status, body.archiveConfig]).toEqual([200, { azure: place, credentialName: 'store' }]);
    expect((await stored(id)).archive_secrets).toBeNull();
    for (const [credentialName, message] of [
      ['wrong', 'may not write there'],
      ['other', 'names no credential of the application'],
    ])
      expect((await patch(id, { azure: place, credentialName })).body.message).toBe(
        `application.archiveConfig.credentialName ${message}`,
      );
  });

  it('are left alone by other changes and ended by null, with their secrets', async () => {
    const application = await make();
    const { id } = application;
    const { body } = await test.client.patch(`/applications/${id}`, { name: 'n' }, { token: user.token });
    expect(body.archiveConfig).toEqual(application.archiveConfig);
    const ended = await patch(id, null);
    expect(ended.status).toBe(200);
    expect(ended.body).not.toHaveProperty('archiveConfig');
    expect(await stored(id)).toEqual({ archive_config: null, archive_secrets: null });
  });

  it('are changed by those who may change the application, and nothing is tried for others', async () => {
    const { id } = await make();
    const before = await stored(id);
    const [viewer, stranger] = [await makeMember(test, orgId, 'view'), await makeUser(test)];
    const directory = unique();
    for (const settings of [{ s3: servers.s3.settings, directory }, null]) {
      expect((await patch(id, settings, {}, viewer.token)).status).toBe(403);
      expect((await patch(id, settings, {}, stranger.token)).status).toBe(404);
    }
    expect(await stored(id)).toEqual(before);
    expect(await tried(directory)).toBe(false);
  });
});
