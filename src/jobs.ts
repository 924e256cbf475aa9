import { APPLICATION_EXPORT } from './modules/bundles/application-bundles/application-export.job.js';
import { APPLICATION_IMPORT } from './modules/bundles/application-imports/import.job.js';
import { APPLICATION_PURGE } from './modules/applications/applications/applications.jobs.js';
import { ARCHIVE_COMMIT } from './modules/bundles/archives/archive-commit.job.js';
import {
  ARCHIVE_BACKFILL,
  ARCHIVE_DAILY,
  ARCHIVE_DAY,
  ARCHIVE_EVENTS,
  ARCHIVE_TABLES,
} from './modules/bundles/archives/archive.jobs.js';
import { ROW_EXPORT } from './modules/data/data-table-rows/row-export.job.js';
import { DATA_EXPORT } from './modules/devices/device-exports/data-export.job.js';
import { DATA_REMOVAL } from './modules/devices/device-exports/data-removal.job.js';
import { LIST_EXPORT } from './modules/devices/device-exports/list-export.job.js';
import { DEVICE_BULK } from './modules/devices/device-bulk/device-bulk.jobs.js';
import { PAYLOADS_EXPORT } from './modules/devices/device-exports/payloads-export.job.js';
import { DEVICE_PURGE } from './modules/devices/device-removal/device-removal.jobs.js';
import { RECIPE_BULK_CREATE } from './modules/devices/device-recipes/recipe-bulk.jobs.js';
import { DEVICE_COMMANDS_SEND } from './modules/devices/device-commands/device-commands.jobs.js';
import { EMBEDDED_EXPORT } from './modules/deployments/embedded-modules/embedded-export.job.js';
import { EVENT_BULK } from './modules/events/events/event-bulk.jobs.js';
import { EVENTS_EXPORT } from './modules/events/events/events-export.job.js';
import { EXPERIENCE_REMOVAL } from './modules/experience/experience/experience-removal.service.js';
import { FILES_PURGE } from './modules/files/files/files.jobs.js';
import { FLOW_PURGE } from './modules/flows/flows/flows.jobs.js';
import { ORG_PURGE } from './modules/accounts/orgs/orgs.jobs.js';
import { USAGE_REPORT } from './modules/accounts/usage-reports/usage-report.job.js';
import { PRIVATE_FILES_PURGE } from './modules/files/private-files/private-files.jobs.js';
import { USER_PURGE } from './modules/accounts/users/users.jobs.js';
import { CALLBACK_SEND } from './platform/callbacks/callbacks.service.js';
import { MAIL_SEND } from './platform/mail/mail.service.js';

/** All job kinds of the platform. */
export const jobs = [
  APPLICATION_EXPORT,
  APPLICATION_IMPORT,
  APPLICATION_PURGE,
  ARCHIVE_BACKFILL,
  ARCHIVE_COMMIT,
  ARCHIVE_DAILY,
  ARCHIVE_DAY,
  ARCHIVE_EVENTS,
  ARCHIVE_TABLES,
  CALLBACK_SEND,
  DEVICE_BULK,
  DEVICE_PURGE,
  DATA_EXPORT,
  DATA_REMOVAL,
  LIST_EXPORT,
  DEVICE_COMMANDS_SEND,
  EMBEDDED_EXPORT,
  EVENT_BULK,
  EVENTS_EXPORT,
  EXPERIENCE_REMOVAL,
  FILES_PURGE,
  FLOW_PURGE,
  MAIL_SEND,
  ORG_PURGE,
  PAYLOADS_EXPORT,
  ROW_EXPORT,
  PRIVATE_FILES_PURGE,
  RECIPE_BULK_CREATE,
  USAGE_REPORT,
  USER_PURGE,
];
