import type { DynamicModule, Type } from '@nestjs/common';
import { BROKER_FAMILY } from './broker/broker.family.js';
import type { Config } from './config/config.js';
import { API_TOKENS_FAMILY } from './modules/accounts/api-tokens/api-tokens.family.js';
import { AUDIT_LOGS_FAMILY } from './modules/accounts/audit-logs/audit-logs.family.js';
import { AUTH_FAMILY } from './modules/accounts/auth/auth.family.js';
import { CUSTOM_NODES_FAMILY } from './modules/accounts/custom-nodes/custom-nodes.family.js';
import { INSTANCE_MEMBERS_FAMILY } from './modules/accounts/instance-members/instance-members.family.js';
import { INSTANCE_ORGS_FAMILY } from './modules/accounts/instance-orgs/instance-orgs.family.js';
import { INSTANCE_SANDBOXES_FAMILY } from './modules/accounts/instance-sandboxes/instance-sandboxes.family.js';
import { INSTANCES_FAMILY } from './modules/accounts/instances/instances.family.js';
import { INVITES_FAMILY } from './modules/accounts/invites/invites.family.js';
import { ME_FAMILY } from './modules/accounts/me/me.family.js';
import { ORGS_FAMILY } from './modules/accounts/orgs/orgs.family.js';
import { TRANSFERS_FAMILY } from './modules/accounts/transfers/transfers.family.js';
import { USAGE_REPORTS_FAMILY } from './modules/accounts/usage-reports/usage-reports.family.js';
import { USERS_FAMILY } from './modules/accounts/users/users.family.js';
import { APPLICATION_SEARCH_FAMILY } from './modules/applications/application-search/application-search.family.js';
import { APPLICATIONS_FAMILY } from './modules/applications/applications/applications.family.js';
import { APPLICATION_BUNDLES_FAMILY } from './modules/bundles/application-bundles/application-bundles.family.js';
import { APPLICATION_IMPORTS_FAMILY } from './modules/bundles/application-imports/application-imports.family.js';
import { APPLICATION_TEMPLATES_FAMILY } from './modules/bundles/application-templates/application-templates.family.js';
import { ARCHIVES_FAMILY } from './modules/bundles/archives/archives.family.js';
import { WHITELABELS_FAMILY } from './modules/compat/whitelabels/whitelabels.family.js';
import { DATA_TABLE_ROWS_FAMILY } from './modules/data/data-table-rows/data-table-rows.family.js';
import { DATA_TABLES_FAMILY } from './modules/data/data-tables/data-tables.family.js';
import { DEPLOYMENTS_FAMILY } from './modules/deployments/deployments/deployments.family.js';
import { EDGE_DEPLOYMENTS_FAMILY } from './modules/deployments/edge-deployments/edge-deployments.family.js';
import { EMBEDDED_DEPLOYMENTS_FAMILY } from './modules/deployments/embedded-deployments/embedded-deployments.family.js';
import { EMBEDDED_MODULES_FAMILY } from './modules/deployments/embedded-modules/embedded-modules.family.js';
import { DEVICE_ATTRIBUTES_FAMILY } from './modules/devices/device-attributes/device-attributes.family.js';
import { DEVICE_BULK_FAMILY } from './modules/devices/device-bulk/device-bulk.family.js';
import { DEVICE_COMMANDS_FAMILY } from './modules/devices/device-commands/device-commands.family.js';
import { DEVICE_CONNECTIONS_FAMILY } from './modules/devices/device-connections/device-connections.family.js';
import { DEVICE_DATA_FAMILY } from './modules/devices/device-data/device-data.family.js';
import { DEVICE_EXPORTS_FAMILY } from './modules/devices/device-exports/device-exports.family.js';
import { DEVICE_RECIPES_FAMILY } from './modules/devices/device-recipes/device-recipes.family.js';
import { DEVICE_REMOVAL_FAMILY } from './modules/devices/device-removal/device-removal.family.js';
import { DEVICE_STATE_FAMILY } from './modules/devices/device-state/device-state.family.js';
import { DEVICE_STREAMS_FAMILY } from './modules/devices/device-streams/device-streams.family.js';
import { DEVICE_SYSTEMS_FAMILY } from './modules/devices/device-systems/device-systems.family.js';
import { DEVICE_TRIGGERS_FAMILY } from './modules/devices/device-triggers/device-triggers.family.js';
import { DEVICES_FAMILY } from './modules/devices/devices/devices.family.js';
import { USAGE_FAMILY } from './modules/devices/usage/usage.family.js';
import { DELIVERY_FAMILY } from './modules/engine/delivery/delivery.family.js';
import { EVENTS_FAMILY } from './modules/events/events/events.family.js';
import { EXPERIENCE_DOMAINS_FAMILY } from './modules/experience/experience-domains/experience-domains.family.js';
import { EXPERIENCE_ENDPOINTS_FAMILY } from './modules/experience/experience-endpoints/experience-endpoints.family.js';
import { EXPERIENCE_GROUPS_FAMILY } from './modules/experience/experience-groups/experience-groups.family.js';
import { EXPERIENCE_LINKS_FAMILY } from './modules/experience/experience-links/experience-links.family.js';
import { EXPERIENCE_SLUGS_FAMILY } from './modules/experience/experience-slugs/experience-slugs.family.js';
import { EXPERIENCE_USERS_FAMILY } from './modules/experience/experience-users/experience-users.family.js';
import { EXPERIENCE_VERSIONS_FAMILY } from './modules/experience/experience-versions/experience-versions.family.js';
import { EXPERIENCE_VIEWS_FAMILY } from './modules/experience/experience-views/experience-views.family.js';
import { EXPERIENCE_FAMILY } from './modules/experience/experience/experience.family.js';
import { FILES_FAMILY } from './modules/files/files/files.family.js';
import { PRIVATE_FILES_FAMILY } from './modules/files/private-files/private-files.family.js';
import { FLOW_RUNS_FAMILY } from './modules/flows/flow-runs/flow-runs.family.js';
import { FLOW_SCHEDULES_FAMILY } from './modules/flows/flow-schedules/flow-schedules.family.js';
import { FLOWS_FAMILY } from './modules/flows/flows/flows.family.js';
import { CREDENTIAL_LINKS_FAMILY } from './modules/integrations/credential-links/credential-links.family.js';
import { CREDENTIALS_FAMILY } from './modules/integrations/credentials/credentials.family.js';
import { INTEGRATIONS_FAMILY } from './modules/integrations/integrations/integrations.family.js';
import { MAIL_IN_FAMILY } from './modules/integrations/mail-in/mail-in.family.js';
import { WEBHOOKS_FAMILY } from './modules/integrations/webhooks/webhooks.family.js';
import { JOB_LOGS_FAMILY } from './modules/jobs/job-logs/job-logs.family.js';
import { JOBS_BOARD_FAMILY } from './modules/jobs/jobs-board/jobs-board.family.js';
import { APPLICATION_KEYS_FAMILY } from './modules/keys/application-keys/application-keys.family.js';
import { CERTIFICATE_AUTHORITIES_FAMILY } from './modules/keys/certificate-authorities/certificate-authorities.family.js';
import { CERTIFICATES_FAMILY } from './modules/keys/certificates/certificates.family.js';
import type { CountedRows } from './platform/counts/count-triggers.js';
import { countedRowsOf } from './platform/holdings/holding.js';
import { creationOrder, inCreationOrder } from './platform/holdings/creation-order.js';
import { inDocumentOrder, type Family } from './platform/families.js';
import { PLATFORM_FAMILY } from './platform/platform.family.js';
import type { RecentKinds } from './platform/recent/recent-kinds.js';

/**
 * All resource families. Their tags stand in this order in the API document, and their routes are matched in it. It also
 * decides the order of holdings that do not refer to each other.
 */
export const families: readonly Family[] = [
  PLATFORM_FAMILY,
  AUTH_FAMILY,
  USERS_FAMILY,
  ME_FAMILY,
  API_TOKENS_FAMILY,
  ORGS_FAMILY,
  INVITES_FAMILY,
  AUDIT_LOGS_FAMILY,
  TRANSFERS_FAMILY,
  // Registered before the routes that take an application ID in the same position.
  USAGE_FAMILY,
  USAGE_REPORTS_FAMILY,
  APPLICATIONS_FAMILY,
  APPLICATION_SEARCH_FAMILY,
  APPLICATION_TEMPLATES_FAMILY,
  FLOWS_FAMILY,
  FLOW_RUNS_FAMILY,
  FLOW_SCHEDULES_FAMILY,
  DELIVERY_FAMILY,
  // Registered before devices: the first matching route wins, and `devices/compositeState` would also match a
  // device ID.
  DEVICE_DATA_FAMILY,
  DEVICES_FAMILY,
  DEVICE_REMOVAL_FAMILY,
  DEVICE_BULK_FAMILY,
  DEVICE_STATE_FAMILY,
  DEVICE_SYSTEMS_FAMILY,
  DEVICE_EXPORTS_FAMILY,
  DEVICE_TRIGGERS_FAMILY,
  DEVICE_STREAMS_FAMILY,
  DEVICE_COMMANDS_FAMILY,
  DEVICE_CONNECTIONS_FAMILY,
  BROKER_FAMILY,
  DEPLOYMENTS_FAMILY,
  EDGE_DEPLOYMENTS_FAMILY,
  EMBEDDED_DEPLOYMENTS_FAMILY,
  EMBEDDED_MODULES_FAMILY,
  DEVICE_RECIPES_FAMILY,
  DEVICE_ATTRIBUTES_FAMILY,
  DATA_TABLES_FAMILY,
  DATA_TABLE_ROWS_FAMILY,
  EVENTS_FAMILY,
  WEBHOOKS_FAMILY,
  MAIL_IN_FAMILY,
  FILES_FAMILY,
  PRIVATE_FILES_FAMILY,
  EXPERIENCE_DOMAINS_FAMILY,
  EXPERIENCE_SLUGS_FAMILY,
  EXPERIENCE_FAMILY,
  EXPERIENCE_LINKS_FAMILY,
  EXPERIENCE_VIEWS_FAMILY,
  EXPERIENCE_VERSIONS_FAMILY,
  EXPERIENCE_GROUPS_FAMILY,
  EXPERIENCE_USERS_FAMILY,
  APPLICATION_KEYS_FAMILY,
  CERTIFICATES_FAMILY,
  CERTIFICATE_AUTHORITIES_FAMILY,
  EXPERIENCE_ENDPOINTS_FAMILY,
  CREDENTIALS_FAMILY,
  CREDENTIAL_LINKS_FAMILY,
  INTEGRATIONS_FAMILY,
  CUSTOM_NODES_FAMILY,
  INSTANCES_FAMILY,
  INSTANCE_MEMBERS_FAMILY,
  INSTANCE_ORGS_FAMILY,
  INSTANCE_SANDBOXES_FAMILY,
  APPLICATION_BUNDLES_FAMILY,
  APPLICATION_IMPORTS_FAMILY,
  ARCHIVES_FAMILY,
  WHITELABELS_FAMILY,
  JOBS_BOARD_FAMILY,
  // Last, so that removals start with jobs, which could add rows to tables that are already empty.
  JOB_LOGS_FAMILY,
];

/** All entity classes of the database. */
export const entities: Type[] = families.flatMap((family) => family.entities ?? []);

const created = creationOrder(families.flatMap((family) => family.holdings ?? []));

/** Resources of applications, in deletion order: resources that refer to others come before them. */
export const holdings = created.toReversed();

/** Resources contained in application bundles, in creation order. */
export const bundles = inCreationOrder(
  created,
  families.flatMap((family) => family.bundles ?? []),
  ({ holding }) => holding.table,
);

/** Resources of experience versions, which bundles store separately, in creation order. */
export const versionBundles = inCreationOrder(
  created,
  families.flatMap((family) => family.keptBundles ?? []),
  ({ holding }) => holding.table,
);

/** Tables that bundles never contain, with the reason. */
export const UNBUNDLED_HOLDINGS: Readonly<Record<string, string>> = Object.fromEntries(
  families.flatMap((family) => Object.entries(family.neverBundled ?? {})),
);

/** Resources stored with experience versions, in the order in which they are restored. */
export const frozen = inCreationOrder(
  created,
  families.flatMap((family) => family.frozen ?? []),
  ({ table }) => table,
);

/** All job kinds of the platform. */
export const jobs = families.flatMap((family) => family.jobs ?? []);

/** All kinds of recently viewed items. */
export const recentKinds: RecentKinds = Object.fromEntries(
  families.flatMap((family) => Object.entries(family.recentKinds ?? {})),
);

/**
 * All counts that are stored: those of applications, users, organizations, instances, workflows and data tables.
 * Migrations create the triggers of each. A test suite fails if the triggers differ from these declarations.
 */
export const countedRows: readonly CountedRows[] = [
  ...holdings.flatMap(countedRowsOf),
  ...families.flatMap((family) => family.countedRows ?? []),
];

/** The tags of the API document, in its order. */
export const tags = inDocumentOrder(families.flatMap(({ tag }) => tag ?? []));

/** Returns the modules of all families for a configuration. */
export const modulesOf = (config: Config): (Type | DynamicModule)[] =>
  families.flatMap(({ modules = [] }) => modules.map((module) => module.on?.(config) ?? module));
