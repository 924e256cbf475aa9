import {
  startAzureArchive,
  startGcsArchive,
  startS3Archive,
  type ArchiveServer,
  type Kind,
} from '../../../../test/doubles/archive-stores.js';
import { makeApplication, makeMember, makeOrg, makeUser, uniqueName } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { newId } from '../../../platform/repositories/resource.js';
import { ArchiveTargets } from './archive-target.js';
import { ArchivedApplicationsRepository } from './archived-applications.repository.js';

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
  test.client.post(
    '/applications',
    { name: uniqueName(), orgId, archiveConfig, ...more },
    { token: user.token },
  );
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

describe('Archive settings', () => {
  it.each(SECRETS)(
    'are verified for %s, and the secret is encrypted and never returned',
    async (kind, member) => {
      const settings = servers[kind].settings;
      const { [member]: secret, ...shown } = settings;
      const { status, body } = await create({ [kind]: settings, directory: orgId });
      expect([status, body.archiveConfig]).toEqual([201, { [kind]: shown, directory: orgId }]);
      expect(await tried(orgId, kind)).toBe(true);
      const answers = await Promise.all(
        [`/applications/${body.id}`, `/applications?orgId=${orgId}`, `/orgs/${orgId}/audit-logs`].map(
          (path) => test.client.get(path, { token: user.token }),
        ),
      );
      const seen = JSON.stringify([
        body,
        ...answers.map((answer) => answer.body),
        await stored(body.id),
        test.log,
      ]);
      // A part of the secret that is never escaped. The secret of the S3 server equals the name of its key, which is
      // returned.
      const canary = /[\w+/]{40}/.exec(secret!)?.[0];
      expect(canary !== undefined && seen.includes(canary)).toBe(false);
      expect(await opened(body.id)).toMatchObject({ [`${kind}.${member}`]: secret });
    },
  );

  it('are also accepted for an application created from a template', async () => {
    const { body: templates } = await test.client.get('/applicationTemplates', { token: user.token });
    const { secretAccessKey: secret, ...shown } = servers.s3.settings;
    const config = { s3: servers.s3.settings, directory: orgId };
    const { status, body } = await create(config, { applicationTemplateId: templates.items[0].id });
    expect([status, body.archiveConfig]).toEqual([201, { s3: shown, directory: orgId }]);
    expect(await opened(body.id)).toMatchObject({ 's3.secretAccessKey': secret });
  });

  it('keep all of their properties', async () => {
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
  ])('reject %s', async (_, archiveConfig) => {
    const { status, body } = await create(archiveConfig);
    expect(status).toBe(400);
    expect(body.message).toMatch(/^application\.archiveConfig/);
  });

  it.each([
    [{ bucket: 'none-is-called-so' }, 'bucket does not exist'],
    [{ accessKeyId: 'NOBODY' }, 'secretAccessKey is not allowed to write to the bucket'],
    [{ secretAccessKey: 'another' }, 'secretAccessKey is not allowed to write to the bucket'],
  ])('reject settings that cannot write: %j', async (wrong, message) => {
    const { id } = await make();
    const before = await stored(id);
    const { status, body } = await patch(id, { s3: { ...servers.s3.settings, ...wrong } });
    expect([status, body.message]).toEqual([400, `application.archiveConfig.s3.${message}`]);
    expect(await stored(id)).toEqual(before);
  });

  it('are verified with existing globals or with globals in the same request', async () => {
    const { id } = await make();
    const globals = [{ key: 'site', json: `"with-${orgId}"` }];
    const settings = { s3: servers.s3.settings, directory: 'a/{{globals.site}}' };
    expect((await patch(id, settings)).body.message).toBe(
      'application.archiveConfig.directory refers to the global site, which is not a string or number',
    );
    expect((await patch(id, settings, { globals })).status).toBe(200);
    expect(await tried(`a/with-${orgId}`)).toBe(true);
    expect((await patch(id, { ...settings, directory: 'b/{{globals.site}}' })).status).toBe(200);
    expect(await tried(`b/with-${orgId}`)).toBe(true);
  });

  it('keep a secret that is omitted unless the kind of place changes', async () => {
    const { id } = await make();
    const { secretAccessKey, ...shown } = servers.s3.settings;
    const { status, body } = await patch(id, { s3: shown, directory: 'other' });
    expect([status, body.archiveConfig]).toEqual([200, { s3: shown, directory: 'other' }]);
    expect(await opened(id)).toMatchObject({ 's3.secretAccessKey': secretAccessKey });
    const { accountKey: _, ...place } = servers.azure.settings;
    expect((await patch(id, { azure: place })).body.message).toBe(
      'application.archiveConfig.azure.accountKey is required unless credentialName is set',
    );
    expect((await patch(id, { azure: servers.azure.settings })).status).toBe(200);
    const { bucket, account } = servers.azure.settings;
    expect(await opened(id)).toEqual({
      'azure.accountKey': servers.azure.settings.accountKey,
      'azure.destination': { bucket, account },
    });
  });

  it('require the secret again if a global changes the place, and never use it elsewhere', async () => {
    const { secretAccessKey, bucket, ...place } = servers.s3.settings;
    const globalsOf = (name: string) => [{ key: 'store', json: JSON.stringify(name) }];
    const shown = { ...place, bucket: '{{globals.store}}' };
    const settings = { s3: { ...shown, secretAccessKey }, directory: orgId };
    const { body } = await create(settings, { globals: globalsOf(bucket!) });
    expect(body.message).toBeUndefined();
    const required = 'application.archiveConfig.s3.secretAccessKey is required when bucket changes';
    const other = { globals: globalsOf('another-bucket') };
    expect((await patch(body.id, { s3: shown }, other)).body.message).toBe(required);
    // The same place, written differently.
    expect((await patch(body.id, { s3: { ...place, bucket } })).status).toBe(200);
    expect((await patch(body.id, { s3: shown })).status).toBe(200);
    const changed = await test.client.patch(`/applications/${body.id}`, other, { token: user.token });
    expect(changed.status).toBe(200);
    expect((await patch(body.id, { s3: shown })).body.message).toBe(required);
    const application = await test.app.get(ArchivedApplicationsRepository).find(body.id);
    await expect(test.app.get(ArchiveTargets).resolve(body.id, application!)).rejects.toThrow(required);
  });

  it('compare secrets of earlier versions with the place of the stored settings', async () => {
    const { id } = await make();
    const { secretAccessKey, ...shown } = servers.s3.settings;
    const sealed = test.app.get(ArchiveTargets).sealed(id, { 's3.secretAccessKey': secretAccessKey });
    await test.dataSource.query('UPDATE applications SET archive_secrets = $2 WHERE id = $1', [id, sealed]);
    expect((await patch(id, { s3: { ...shown, bucket: 'another-bucket' } })).body.message).toBe(
      'application.archiveConfig.s3.secretAccessKey is required when bucket changes',
    );
    expect((await patch(id, { s3: shown })).status).toBe(200);
    expect(await opened(id)).toHaveProperty(['s3.destination', 'bucket'], shown.bucket);
  });

  it('can use a service credential and then have no secret', async () => {
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
      ['wrong', 'is not allowed to write to the bucket'],
      ['other', 'does not match a credential of the application'],
    ])
      expect((await patch(id, { azure: place, credentialName })).body.message).toBe(
        `application.archiveConfig.credentialName ${message}`,
      );
  });

  it('are unaffected by other changes and removed with their secrets by null', async () => {
    const application = await make();
    const { id } = application;
    const { body } = await test.client.patch(`/applications/${id}`, { name: 'n' }, { token: user.token });
    expect(body.archiveConfig).toEqual(application.archiveConfig);
    const ended = await patch(id, null);
    expect(ended.status).toBe(200);
    expect(ended.body).not.toHaveProperty('archiveConfig');
    expect(await stored(id)).toEqual({ archive_config: null, archive_secrets: null });
  });

  it('can be changed only with permission, and are not verified for other callers', async () => {
    const { id } = await make();
    const before = await stored(id);
    const [viewer, stranger] = [await makeMember(test, orgId, 'view'), await makeUser(test)];
    const directory = uniqueName();
    for (const settings of [{ s3: servers.s3.settings, directory }, null]) {
      expect((await patch(id, settings, {}, viewer.token)).status).toBe(403);
      expect((await patch(id, settings, {}, stranger.token)).status).toBe(404);
    }
    expect(await stored(id)).toEqual(before);
    expect(await tried(directory)).toBe(false);
  });
});
