import { ApiToken } from './modules/accounts/api-tokens/api-token.resource.js';
import { Application } from './modules/applications/applications/application.resource.js';
import { ApplicationKey } from './modules/keys/application-keys/application-key.resource.js';
import { AuditLog, InstanceAuditLog } from './modules/accounts/audit-logs/audit-log.resource.js';
import { SamlId, SsoDomain } from './modules/accounts/auth/auth.resource.js';
import { ApplicationCertificateAuthority } from './modules/keys/certificate-authorities/certificate-authority.resource.js';
import { ApplicationCertificate } from './modules/keys/certificates/certificate.resource.js';
import { WithdrawnCertificate } from './modules/keys/certificates/withdrawn-certificate.entity.js';
import { ExperienceRequestSum } from './modules/experience/experience-endpoints/endpoint-request-sum.entity.js';
import {
  ExperienceEndpoint,
  ExperienceEndpointVersion,
} from './modules/experience/experience-endpoints/experience-endpoint.resource.js';
import { Credential } from './modules/integrations/credentials/credential.resource.js';
import { InstanceCustomNode } from './modules/accounts/custom-nodes/instance-custom-node.resource.js';
import { DataTable } from './modules/data/data-tables/data-table.resource.js';
import { DeploymentTask } from './modules/deployments/deployments/deployment-task.entity.js';
import { EdgeDeployment } from './modules/deployments/edge-deployments/edge-deployment.resource.js';
import { EmbeddedDeploymentFlow } from './modules/deployments/embedded-deployments/embedded-deployment-flow.entity.js';
import { EmbeddedDeployment } from './modules/deployments/embedded-deployments/embedded-deployment.resource.js';
import { EmbeddedModule } from './modules/deployments/embedded-modules/embedded-module.entity.js';
import { EventUpdateRow } from './modules/events/events/event-update.entity.js';
import { ArchiveSchedule } from './modules/bundles/archives/archive-schedule.entity.js';
import { Event } from './modules/events/events/event.resource.js';
import { ExperienceVersion } from './modules/experience/experience-versions/experience-version.resource.js';
import {
  ExperienceView,
  ExperienceViewVersion,
} from './modules/experience/experience-views/experience-view.resource.js';
import { ApplicationImport } from './modules/bundles/application-imports/application-import.entity.js';
import { ImportTurn } from './modules/bundles/application-imports/import-turn.entity.js';
import { ExportTurn } from './modules/devices/device-exports/export-turn.entity.js';
import { DeviceCommand } from './modules/devices/device-commands/device-command.entity.js';
import { DeviceConnection } from './modules/devices/device-connections/device-connection.entity.js';
import { DeviceHourDue } from './modules/devices/device-state/device-hour-due.entity.js';
import { DeviceHour } from './modules/devices/device-state/device-hour.entity.js';
import { DeviceBulkFault } from './modules/devices/device-bulk/device-bulk-fault.entity.js';
import { DevicePoint } from './modules/devices/device-state/device-point.entity.js';
import { DeviceState } from './modules/devices/device-state/device-state.entity.js';
import { DeviceRecipe } from './modules/devices/device-recipes/device-recipe.resource.js';
import { Device } from './modules/devices/devices/device.resource.js';
import { ExperienceGroup } from './modules/experience/experience-groups/experience-group.resource.js';
import { ExperienceUser } from './modules/experience/experience-users/experience-user.resource.js';
import { ExperienceDomain } from './modules/experience/experience-domains/experience-domain.resource.js';
import { ExperienceSlug } from './modules/experience/experience-slugs/experience-slug.resource.js';
import { File } from './modules/files/files/file.resource.js';
import { FileUpload } from './modules/files/files/file-upload.entity.js';
import { FlowRun } from './modules/flows/flow-runs/flow-run.entity.js';
import { FlowRunPayload } from './modules/flows/flow-runs/flow-run-payload.entity.js';
import { FlowRunSum } from './modules/flows/flow-runs/flow-run-sum.entity.js';
import { FlowStorage } from './modules/flows/flow-runs/flow-storage.entity.js';
import { FlowVersion } from './modules/flows/flows/flow-version.resource.js';
import { Flow } from './modules/flows/flows/flow.resource.js';
import { InstanceMember } from './modules/accounts/instance-members/instance-member.resource.js';
import { Instance } from './modules/accounts/instances/instance.resource.js';
import { OrgInvite } from './modules/accounts/orgs/org-invite.resource.js';
import { RecentItem } from './modules/accounts/me/recent-item.resource.js';
import { Org, OrgMember } from './modules/accounts/orgs/org.resource.js';
import { PrivateFile } from './modules/files/private-files/private-file.resource.js';
import { ApplicationPayloadSum, OwnerPayloadSum } from './modules/devices/usage/payload-sum.entity.js';
import { HistoricalSummaryRow } from './modules/devices/usage/historical-summary.entity.js';
import { User } from './modules/accounts/users/user.entity.js';
import { Webhook } from './modules/integrations/webhooks/webhook.resource.js';
import { TemporaryBlob } from './platform/blobs/temporary-blob.entity.js';
import { Job } from './platform/jobs/job.entity.js';

/** All entity classes of the database. */
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
