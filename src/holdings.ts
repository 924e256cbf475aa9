import { APPLICATION_IMPORTS } from './modules/bundles/application-imports/application-import.entity.js';
import { APPLICATION_KEYS } from './modules/keys/application-keys/application-key.resource.js';
import { ARCHIVE_SCHEDULES } from './modules/bundles/archives/archive-schedule.entity.js';
import { CERTIFICATE_AUTHORITIES } from './modules/keys/certificate-authorities/certificate-authority.resource.js';
import { CERTIFICATES } from './modules/keys/certificates/certificate.resource.js';
import { WITHDRAWN_CERTIFICATES } from './modules/keys/certificates/withdrawn-certificate.entity.js';
import { CREDENTIALS } from './modules/integrations/credentials/credential.resource.js';
import { DATA_TABLES } from './modules/data/data-tables/data-table.resource.js';
import { DEPLOYMENT_TASKS } from './modules/deployments/deployments/deployment-task.entity.js';
import { EDGE_DEPLOYMENTS } from './modules/deployments/edge-deployments/edge-deployment.resource.js';
import { EMBEDDED_DEPLOYMENT_FLOWS } from './modules/deployments/embedded-deployments/embedded-deployment-flow.entity.js';
import { EMBEDDED_DEPLOYMENTS } from './modules/deployments/embedded-deployments/embedded-deployment.resource.js';
import { EMBEDDED_MODULES } from './modules/deployments/embedded-modules/embedded-module.entity.js';
import { EVENTS } from './modules/events/events/event.resource.js';
import { EXPERIENCE_REQUEST_SUMS } from './modules/experience/experience-endpoints/endpoint-request-sum.entity.js';
import {
  EXPERIENCE_ENDPOINT_VERSIONS,
  EXPERIENCE_ENDPOINTS,
} from './modules/experience/experience-endpoints/experience-endpoint.resource.js';
import { EXPERIENCE_VERSIONS } from './modules/experience/experience-versions/experience-version.resource.js';
import {
  EXPERIENCE_VIEW_VERSIONS,
  EXPERIENCE_VIEWS,
} from './modules/experience/experience-views/experience-view.resource.js';
import { EXPORT_TURNS } from './modules/devices/device-exports/export-turn.entity.js';
import { DEVICE_COMMANDS } from './modules/devices/device-commands/device-command.entity.js';
import { DEVICE_CONNECTIONS } from './modules/devices/device-connections/device-connection.entity.js';
import { DEVICE_HOURS_DUE } from './modules/devices/device-state/device-hour-due.entity.js';
import { DEVICE_HOURS } from './modules/devices/device-state/device-hour.entity.js';
import { DEVICE_POINTS } from './modules/devices/device-state/device-point.entity.js';
import { DEVICE_STATES } from './modules/devices/device-state/device-state.entity.js';
import { DEVICE_RECIPES } from './modules/devices/device-recipes/device-recipe.resource.js';
import { DEVICES } from './modules/devices/devices/device.resource.js';
import { EXPERIENCE_GROUPS } from './modules/experience/experience-groups/experience-group.resource.js';
import { EXPERIENCE_USERS } from './modules/experience/experience-users/experience-user.resource.js';
import { EXPERIENCE_DOMAINS } from './modules/experience/experience-domains/experience-domain.resource.js';
import { EXPERIENCE_SLUGS } from './modules/experience/experience-slugs/experience-slug.resource.js';
import { FILES } from './modules/files/files/file.resource.js';
import { FILE_UPLOADS } from './modules/files/files/file-upload.entity.js';
import { FLOW_RUN_PAYLOADS } from './modules/flows/flow-runs/flow-run-payload.entity.js';
import { FLOW_RUNS } from './modules/flows/flow-runs/flow-run.entity.js';
import { FLOW_RUN_SUMS } from './modules/flows/flow-runs/flow-run-sum.entity.js';
import { FLOW_STORAGE } from './modules/flows/flow-runs/flow-storage.entity.js';
import { FLOW_VERSIONS } from './modules/flows/flows/flow-version.resource.js';
import { FLOWS } from './modules/flows/flows/flow.resource.js';
import { JOBS } from './modules/jobs/job-logs/job-log.resource.js';
import { PRIVATE_FILES } from './modules/files/private-files/private-file.resource.js';
import { APPLICATION_PAYLOAD_SUMS } from './modules/devices/usage/payload-sum.entity.js';
import { WEBHOOKS } from './modules/integrations/webhooks/webhook.resource.js';
import type { Holding } from './platform/holdings/holding.js';

/** Resources of applications, in deletion order: resources that refer to others come before them. */
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
