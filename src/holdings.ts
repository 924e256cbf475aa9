import { APPLICATION_IMPORTS } from './modules/application-imports/application-import.entity.js';
import { APPLICATION_KEYS } from './modules/application-keys/application-key.resource.js';
import { ARCHIVE_SCHEDULES } from './modules/archives/archive-schedule.entity.js';
import { CERTIFICATE_AUTHORITIES } from './modules/certificate-authorities/certificate-authority.resource.js';
import { CERTIFICATES } from './modules/certificates/certificate.resource.js';
import { WITHDRAWN_CERTIFICATES } from './modules/certificates/withdrawn-certificate.entity.js';
import { CREDENTIALS } from './modules/credentials/credential.resource.js';
import { DATA_TABLES } from './modules/data-tables/data-table.resource.js';
import { DEPLOYMENT_TASKS } from './modules/deployments/deployment-task.entity.js';
import { EDGE_DEPLOYMENTS } from './modules/edge-deployments/edge-deployment.resource.js';
import { EMBEDDED_DEPLOYMENT_FLOWS } from './modules/embedded-deployments/embedded-deployment-flow.entity.js';
import { EMBEDDED_DEPLOYMENTS } from './modules/embedded-deployments/embedded-deployment.resource.js';
import { EMBEDDED_MODULES } from './modules/embedded-modules/embedded-module.entity.js';
import { EVENTS } from './modules/events/event.resource.js';
import { EXPERIENCE_REQUEST_SUMS } from './modules/experience-endpoints/endpoint-request-sum.entity.js';
import {
  EXPERIENCE_ENDPOINT_VERSIONS,
  EXPERIENCE_ENDPOINTS,
} from './modules/experience-endpoints/experience-endpoint.resource.js';
import { EXPERIENCE_VERSIONS } from './modules/experience-versions/experience-version.resource.js';
import {
  EXPERIENCE_VIEW_VERSIONS,
  EXPERIENCE_VIEWS,
} from './modules/experience-views/experience-view.resource.js';
import { EXPORT_TURNS } from './modules/device-exports/export-turn.entity.js';
import { DEVICE_COMMANDS } from './modules/device-commands/device-command.entity.js';
import { DEVICE_CONNECTIONS } from './modules/device-connections/device-connection.entity.js';
import { DEVICE_HOURS_DUE } from './modules/device-state/device-hour-due.entity.js';
import { DEVICE_HOURS } from './modules/device-state/device-hour.entity.js';
import { DEVICE_POINTS } from './modules/device-state/device-point.entity.js';
import { DEVICE_STATES } from './modules/device-state/device-state.entity.js';
import { DEVICE_RECIPES } from './modules/device-recipes/device-recipe.resource.js';
import { DEVICES } from './modules/devices/device.resource.js';
import { EXPERIENCE_GROUPS } from './modules/experience-groups/experience-group.resource.js';
import { EXPERIENCE_USERS } from './modules/experience-users/experience-user.resource.js';
import { EXPERIENCE_DOMAINS } from './modules/experience-domains/experience-domain.resource.js';
import { EXPERIENCE_SLUGS } from './modules/experience-slugs/experience-slug.resource.js';
import { FILES } from './modules/files/file.resource.js';
import { FILE_UPLOADS } from './modules/files/file-upload.entity.js';
import { FLOW_RUN_PAYLOADS } from './modules/flow-runs/flow-run-payload.entity.js';
import { FLOW_RUNS } from './modules/flow-runs/flow-run.entity.js';
import { FLOW_RUN_SUMS } from './modules/flow-runs/flow-run-sum.entity.js';
import { FLOW_STORAGE } from './modules/flow-runs/flow-storage.entity.js';
import { FLOW_VERSIONS } from './modules/flows/flow-version.resource.js';
import { FLOWS } from './modules/flows/flow.resource.js';
import { JOBS } from './modules/job-logs/job-log.resource.js';
import { PRIVATE_FILES } from './modules/private-files/private-file.resource.js';
import { APPLICATION_PAYLOAD_SUMS } from './modules/usage/payload-sum.entity.js';
import { WEBHOOKS } from './modules/webhooks/webhook.resource.js';
import type { Holding } from './platform/holdings/holding.js';

/** Everything that applications hold, in the order in which it is removed: what hangs on something goes before it. */
export const holdings: readonly Holding[] = [
  JOBS,
  DEVICE_POINTS,
  DEVICE_HOURS,
  DEVICE_HOURS_DUE,
  DEVICE_STATES,
  DEVICE_COMMANDS,
  DEVICE_CONNECTIONS,
  EMBEDDED_MODULES,
  EVENTS,
  DEPLOYMENT_TASKS,
  EMBEDDED_DEPLOYMENT_FLOWS,
  EMBEDDED_DEPLOYMENTS,
  EDGE_DEPLOYMENTS,
  FLOW_RUNS,
  FLOW_RUN_PAYLOADS,
  FLOW_RUN_SUMS,
  FLOW_STORAGE,
  FLOW_VERSIONS,
  FLOWS,
  EXPERIENCE_DOMAINS,
  EXPERIENCE_SLUGS,
  EXPERIENCE_REQUEST_SUMS,
  EXPERIENCE_ENDPOINT_VERSIONS,
  EXPERIENCE_ENDPOINTS,
  EXPERIENCE_VIEW_VERSIONS,
  EXPERIENCE_VIEWS,
  EXPERIENCE_VERSIONS,
  WEBHOOKS,
  EXPORT_TURNS,
  ARCHIVE_SCHEDULES,
  APPLICATION_IMPORTS,
  DATA_TABLES,
  APPLICATION_KEYS,
  CERTIFICATES,
  WITHDRAWN_CERTIFICATES,
  CERTIFICATE_AUTHORITIES,
  CREDENTIALS,
  EXPERIENCE_GROUPS,
  EXPERIENCE_USERS,
  APPLICATION_PAYLOAD_SUMS,
  DEVICES,
  DEVICE_RECIPES,
  FILE_UPLOADS,
  FILES,
  PRIVATE_FILES,
];
