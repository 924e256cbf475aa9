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

/** Everything that bundles of applications hold, in the order in which it is made: what others belong to goes before them. */
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

/** What bundles hold of versions of an experience beside that, in places of its own. */
export const keptBundles: readonly Bundled[] = [
  KEPT_EXPERIENCE_VERSIONS,
  KEPT_EXPERIENCE_ENDPOINTS,
  KEPT_EXPERIENCE_VIEWS,
  KEPT_FLOW_VERSIONS,
];

/** Tables of what no bundle has, with the reason. */
export const NEVER_BUNDLED: Readonly<Record<string, string>> = {
  application_certificates: 'A certificate proves who a device of this application is.',
  application_imports: 'History.',
  application_keys: 'Whoever has a key acts in this application.',
  application_payload_sums: 'It is what this application was billed for.',
  archive_schedules: 'It is of this application alone.',
  deployment_tasks: 'What is still to come.',
  device_commands: 'History.',
  device_connections: 'History.',
  device_hours: 'History.',
  device_hours_due: 'History.',
  device_points: 'History.',
  device_states: 'History.',
  edge_deployments: 'What devices of this application run.',
  embedded_deployment_flows: 'What devices of this application run.',
  embedded_deployments: 'What devices of this application run.',
  embedded_modules: 'They are compiled of what a bundle has.',
  events: 'History.',
  experience_domains: 'A domain is of one application.',
  experience_request_sums: 'History.',
  experience_slugs: 'A slug is of one application.',
  export_turns: 'It is of this application alone.',
  file_uploads: 'What is still to come.',
  flow_run_payloads: 'History.',
  flow_run_sums: 'History.',
  flow_runs: 'History.',
  flow_storage: 'What workflows of this application noted as they ran.',
  jobs: 'History.',
  withdrawn_certificates: 'Certificates are of this application alone.',
};
