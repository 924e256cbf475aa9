import { ApiToken } from './modules/api-tokens/api-token.resource.js';
import { Application } from './modules/applications/application.resource.js';
import { ApplicationKey } from './modules/application-keys/application-key.resource.js';
import { AuditLog, InstanceAuditLog } from './modules/audit-logs/audit-log.resource.js';
import { SamlId, SsoDomain } from './modules/auth/auth.resource.js';
import { ApplicationCertificateAuthority } from './modules/certificate-authorities/certificate-authority.resource.js';
import { ApplicationCertificate } from './modules/certificates/certificate.resource.js';
import { WithdrawnCertificate } from './modules/certificates/withdrawn-certificate.entity.js';
import { ExperienceRequestSum } from './modules/experience-endpoints/endpoint-request-sum.entity.js';
import {
  ExperienceEndpoint,
  ExperienceEndpointVersion,
} from './modules/experience-endpoints/experience-endpoint.resource.js';
import { Credential } from './modules/credentials/credential.resource.js';
import { InstanceCustomNode } from './modules/custom-nodes/instance-custom-node.resource.js';
import { DataTable } from './modules/data-tables/data-table.resource.js';
import { DeploymentTask } from './modules/deployments/deployment-task.entity.js';
import { EdgeDeployment } from './modules/edge-deployments/edge-deployment.resource.js';
import { EmbeddedDeploymentFlow } from './modules/embedded-deployments/embedded-deployment-flow.entity.js';
import { EmbeddedDeployment } from './modules/embedded-deployments/embedded-deployment.resource.js';
import { EmbeddedModule } from './modules/embedded-modules/embedded-module.entity.js';
import { EventUpdateRow } from './modules/events/event-update.entity.js';
import { ArchiveSchedule } from './modules/archives/archive-schedule.entity.js';
import { Event } from './modules/events/event.resource.js';
import { ExperienceVersion } from './modules/experience-versions/experience-version.resource.js';
import {
  ExperienceView,
  ExperienceViewVersion,
} from './modules/experience-views/experience-view.resource.js';
import { ApplicationImport } from './modules/application-imports/application-import.entity.js';
import { ImportTurn } from './modules/application-imports/import-turn.entity.js';
import { ExportTurn } from './modules/device-exports/export-turn.entity.js';
import { DeviceCommand } from './modules/device-commands/device-command.entity.js';
import { DeviceConnection } from './modules/device-connections/device-connection.entity.js';
import { DeviceHourDue } from './modules/device-state/device-hour-due.entity.js';
import { DeviceHour } from './modules/device-state/device-hour.entity.js';
import { DeviceBulkFault } from './modules/device-bulk/device-bulk-fault.entity.js';
import { DevicePoint } from './modules/device-state/device-point.entity.js';
import { DeviceState } from './modules/device-state/device-state.entity.js';
import { DeviceRecipe } from './modules/device-recipes/device-recipe.resource.js';
import { Device } from './modules/devices/device.resource.js';
import { ExperienceGroup } from './modules/experience-groups/experience-group.resource.js';
import { ExperienceUser } from './modules/experience-users/experience-user.resource.js';
import { ExperienceDomain } from './modules/experience-domains/experience-domain.resource.js';
import { ExperienceSlug } from './modules/experience-slugs/experience-slug.resource.js';
import { File } from './modules/files/file.resource.js';
import { FileUpload } from './modules/files/file-upload.entity.js';
import { FlowRun } from './modules/flow-runs/flow-run.entity.js';
import { FlowRunPayload } from './modules/flow-runs/flow-run-payload.entity.js';
import { FlowRunSum } from './modules/flow-runs/flow-run-sum.entity.js';
import { FlowStorage } from './modules/flow-runs/flow-storage.entity.js';
import { FlowVersion } from './modules/flows/flow-version.resource.js';
import { Flow } from './modules/flows/flow.resource.js';
import { InstanceMember } from './modules/instance-members/instance-member.resource.js';
import { Instance } from './modules/instances/instance.resource.js';
import { OrgInvite } from './modules/orgs/org-invite.resource.js';
import { RecentItem } from './modules/me/recent-item.resource.js';
import { Org, OrgMember } from './modules/orgs/org.resource.js';
import { PrivateFile } from './modules/private-files/private-file.resource.js';
import { ApplicationPayloadSum, OwnerPayloadSum } from './modules/usage/payload-sum.entity.js';
import { HistoricalSummaryRow } from './modules/usage/historical-summary.entity.js';
import { User } from './modules/users/user.entity.js';
import { Webhook } from './modules/webhooks/webhook.resource.js';
import { TemporaryBlob } from './platform/blobs/temporary-blob.entity.js';
import { Job } from './platform/jobs/job.entity.js';

/** Every class that has a table. */
export const entities = [
  ApiToken,
  Application,
  ApplicationPayloadSum,
  ApplicationCertificate,
  ApplicationCertificateAuthority,
  ApplicationKey,
  AuditLog,
  Credential,
  DataTable,
  DeviceHour,
  DeviceHourDue,
  DevicePoint,
  DeviceState,
  DeviceCommand,
  DeviceConnection,
  Device,
  ArchiveSchedule,
  Event,
  EmbeddedModule,
  EventUpdateRow,
  ExperienceEndpoint,
  ExperienceEndpointVersion,
  ExperienceRequestSum,
  ExperienceVersion,
  ExperienceView,
  ExperienceViewVersion,
  ExperienceGroup,
  ExperienceUser,
  ExperienceDomain,
  ExperienceSlug,
  ApplicationImport,
  ExportTurn,
  ImportTurn,
  DeploymentTask,
  DeviceRecipe,
  EdgeDeployment,
  EmbeddedDeployment,
  EmbeddedDeploymentFlow,
  File,
  FileUpload,
  Flow,
  FlowRun,
  FlowRunPayload,
  FlowRunSum,
  FlowStorage,
  FlowVersion,
  HistoricalSummaryRow,
  Instance,
  InstanceAuditLog,
  InstanceCustomNode,
  InstanceMember,
  Job,
  DeviceBulkFault,
  User,
  Org,
  OrgInvite,
  OrgMember,
  OwnerPayloadSum,
  PrivateFile,
  RecentItem,
  SamlId,
  SsoDomain,
  TemporaryBlob,
  Webhook,
  WithdrawnCertificate,
];
