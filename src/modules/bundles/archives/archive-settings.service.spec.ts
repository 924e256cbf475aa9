import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Config } from '../../../config/config.js';
import type { BundleRepositories } from '../application-bundles/bundle-repositories.js';
import { ArchiveSettingsService } from './archive-settings.service.js';
import { ArchiveStores } from './archive-stores.js';
import { ArchiveTarget, type ArchiveTargets } from './archive-target.js';
import type { ArchivedApplicationsRepository } from './archived-applications.repository.js';

/** A store that accepts requests and never responds. */
let store: Server;
beforeAll(async () => {
  store = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(store, 'listening');
});
afterAll(() => {
  store.closeAllConnections();
  store.close();
});

it('Archive settings are rejected when the store does not respond', async () => {
  jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
  const endpoint = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
  const s3 = { bucket: 'pumps', region: 'eu-central-1', accessKeyId: 'a', secretAccessKey: 'b' };
  const stores = new ArchiveStores(Config.from({ ARCHIVE_S3_ENDPOINT: endpoint }));
  const fields = { bucket: '', region: '', access: '' };
  const targets = {
    locate: async () => ({ place: { kind: 's3', ...s3 }, directory: '' }),
    open: async () => new ArchiveTarget(await stores.open({ kind: 's3', ...s3 }), '', fields),
  } as unknown as ArchiveTargets;
  const applications = { find: async () => undefined } as unknown as ArchivedApplicationsRepository;
  const repositories = {} as unknown as BundleRepositories;
  const asked = once(store, 'request');
  const accepted = new ArchiveSettingsService(applications, targets, repositories, 200).accept({
    applicationId: 'a',
    ownerType: 'organization',
    config: { s3 },
  });
  await expect(accepted).rejects.toThrow('application.archiveConfig.s3 did not respond within 0.2 seconds');
  await asked;
});
