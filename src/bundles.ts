import { BUNDLED_CERTIFICATE_AUTHORITIES } from './modules/keys/certificate-authorities/certificate-authority.bundle.js';
import { BUNDLED_CREDENTIALS } from './modules/integrations/credentials/credential.bundle.js';
import { BUNDLED_DATA_TABLES } from './modules/data/data-tables/data-table.bundle.js';
import { BUNDLED_DEVICE_RECIPES } from './modules/devices/device-recipes/device-recipe.bundle.js';
import { BUNDLED_DEVICES } from './modules/devices/devices/device.bundle.js';
import {
  BUNDLED_EXPERIENCE_ENDPOINTS,
  KEPT_EXPERIENCE_ENDPOINTS,
} from './modules/experience/experience-endpoints/experience-endpoint.bundle.js';
import { BUNDLED_EXPERIENCE_GROUPS } from './modules/experience/experience-groups/experience-group.bundle.js';
import { BUNDLED_EXPERIENCE_USERS } from './modules/experience/experience-users/experience-user.bundle.js';
import { KEPT_EXPERIENCE_VERSIONS } from './modules/experience/experience-versions/experience-version.bundle.js';
import {
  BUNDLED_EXPERIENCE_VIEWS,
  KEPT_EXPERIENCE_VIEWS,
} from './modules/experience/experience-views/experience-view.bundle.js';
import { BUNDLED_FILES } from './modules/files/files/file.bundle.js';
import {
  BUNDLED_EXPERIENCE_FLOWS,
  BUNDLED_FLOWS,
  BUNDLED_FLOW_VERSIONS,
  KEPT_FLOW_VERSIONS,
} from './modules/flows/flows/flow.bundle.js';
import { BUNDLED_PRIVATE_FILES } from './modules/files/private-files/private-file.bundle.js';
import { BUNDLED_WEBHOOKS } from './modules/integrations/webhooks/webhook.bundle.js';
import type { Bundled } from './platform/bundles/bundled.js';

/**
 * Resources contained in application bundles, in creation order: parents come before the resources that refer to them.
 */
export const bundles: readonly Bundled[] = [
  BUNDLED_CERTIFICATE_AUTHORITIES,
  BUNDLED_CREDENTIALS,
  BUNDLED_WEBHOOKS,
  BUNDLED_DEVICES,
  BUNDLED_DEVICE_RECIPES,
  BUNDLED_DATA_TABLES,
  BUNDLED_EXPERIENCE_GROUPS,
  BUNDLED_EXPERIENCE_USERS,
  BUNDLED_EXPERIENCE_ENDPOINTS,
  BUNDLED_EXPERIENCE_VIEWS,
  BUNDLED_FLOWS,
  BUNDLED_EXPERIENCE_FLOWS,
  BUNDLED_FLOW_VERSIONS,
  BUNDLED_FILES,
  BUNDLED_PRIVATE_FILES,
];

/** Resources of experience versions, which bundles store separately. */
export const keptBundles: readonly Bundled[] = [
  KEPT_EXPERIENCE_VERSIONS,
  KEPT_EXPERIENCE_ENDPOINTS,
  KEPT_EXPERIENCE_VIEWS,
  KEPT_FLOW_VERSIONS,
];

/** Tables that bundles never contain, with the reason. */
export const NEVER_BUNDLED: Readonly<Record<string, string>> = {
  application_certificates: 'A certificate identifies a device of this application.',
  application_imports: 'History.',
  application_keys: 'An access key grants access to this application.',
  application_payload_sums: 'Billing data of this application.',
  archive_schedules: 'Specific to this application.',
  deployment_tasks: 'Pending work.',
  device_commands: 'History.',
  device_connections: 'History.',
  device_hours: 'History.',
  device_hours_due: 'History.',
  device_points: 'History.',
  device_states: 'History.',
  edge_deployments: 'State of the devices of this application.',
  embedded_deployment_flows: 'State of the devices of this application.',
  embedded_deployments: 'State of the devices of this application.',
  embedded_modules: 'Compiled from the contents of the bundle.',
  events: 'History.',
  experience_domains: 'A domain belongs to one application.',
  experience_request_sums: 'History.',
  experience_slugs: 'A slug belongs to one application.',
  export_turns: 'Specific to this application.',
  file_uploads: 'Pending work.',
  flow_run_payloads: 'History.',
  flow_run_sums: 'History.',
  flow_runs: 'History.',
  flow_storage: 'Values that the workflows of this application stored at run time.',
  jobs: 'History.',
  withdrawn_certificates: 'Certificates belong to one application.',
};
