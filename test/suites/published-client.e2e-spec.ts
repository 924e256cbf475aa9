import { drivesApplicationTemplates } from './published-client/application-templates.js';
import { startS3Archive, type ArchiveServer } from '../doubles/archive-stores.js';
import { drivesApplications } from './published-client/applications.js';
import { drivesBundles } from './published-client/bundles.js';
import { drivesArchives } from './published-client/archives.js';
import { drivesCertificates } from './published-client/certificates.js';
import { drivesDataTableRows } from './published-client/data-table-rows.js';
import { drivesDataTables } from './published-client/data-tables.js';
import { drivesDeployments } from './published-client/deployments.js';
import { drivesDeviceReports } from './published-client/device-state.js';
import { drivesDeviceCommands } from './published-client/device-commands.js';
import { drivesDevices } from './published-client/devices.js';
import { drivesDeviceRecipes } from './published-client/device-recipes.js';
import { drivesEvents } from './published-client/events.js';
import { drivesExperienceEndpoints } from './published-client/experience-endpoints.js';
import { drivesExperienceVersions } from './published-client/experience-versions.js';
import { drivesExperienceGroups } from './published-client/experience-groups.js';
import { drivesExperienceAddresses } from './published-client/experience-addresses.js';
import { drivesFiles } from './published-client/files.js';
import { drivesOrganizations } from './published-client/organizations.js';
import { drivesDeviceExports } from './published-client/device-exports.js';
import { drivesDeviceData } from './published-client/device-data.js';
import { drivesDeviceSignIn } from './published-client/device-sign-in.js';
import { Published } from './published-client/published.js';
import { codeHost, drivesSignIn } from './published-client/sign-in.js';
import { drivesUsage } from './published-client/usage.js';
import { drivesWorkflows } from './published-client/workflows.js';
import { suite } from '../setup/suite.js';

const env: Record<string, string> = {};
const stores: { s3?: ArchiveServer } = {};
beforeAll(async () => {
  env.CODEHOST_API_URL = await codeHost.start();
  const s3 = await startS3Archive();
  stores.s3 = s3;
  env.ARCHIVE_S3_ENDPOINT = s3.endpoint;
});
afterAll(async () => {
  codeHost.stop();
  await stores.s3?.close();
});
const { test } = suite(env);

/** Families to come add a file of theirs, and the last test says which operations are left. */
describe('The published client', () => {
  const published = new Published(test);
  drivesSignIn(published);
  drivesDeviceSignIn(published);
  drivesDeviceExports(published);
  drivesDeviceData(published);
  drivesDataTableRows(published);
  drivesApplications(published);
  drivesArchives(published, stores);
  drivesBundles(published);
  drivesApplicationTemplates(published);
  drivesCertificates(published);
  drivesExperienceVersions(published);
  drivesDeviceRecipes(published);
  drivesDevices(published);
  drivesDeployments(published);
  drivesDeviceReports(published);
  drivesDeviceCommands(published);
  drivesDataTables(published);
  drivesExperienceEndpoints(published);
  drivesExperienceGroups(published);
  drivesExperienceAddresses(published);
  drivesFiles(published);
  drivesWorkflows(published);
  drivesEvents(published);
  drivesOrganizations(published);
  drivesUsage(published);

  it('drove every operation that it has', () => {
    const left = published.operations().filter((name) => !published.driven.has(name));
    expect(left).toEqual([]);
  });
});
