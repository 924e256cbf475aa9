import { Module, type DynamicModule } from '@nestjs/common';
import { bundles, keptBundles } from './bundles.js';
import { entities } from './entities.js';
import { frozen } from './frozen.js';
import { holdings } from './holdings.js';
import { jobs } from './jobs.js';
import { recentKinds } from './recent-kinds.js';
import { ApiTokensModule } from './modules/accounts/api-tokens/api-tokens.module.js';
import { ApplicationBundlesModule } from './modules/bundles/application-bundles/application-bundles.module.js';
import { ApplicationKeysModule } from './modules/keys/application-keys/application-keys.module.js';
import { ApplicationSearchModule } from './modules/applications/application-search/application-search.module.js';
import { ApplicationTemplatesModule } from './modules/bundles/application-templates/application-templates.module.js';
import { ApplicationsModule } from './modules/applications/applications/applications.module.js';
import { ArchivesModule } from './modules/bundles/archives/archives.module.js';
import { AuditLogsModule } from './modules/accounts/audit-logs/audit-logs.module.js';
import { AuthModule } from './modules/accounts/auth/auth.module.js';
import { CertificateAuthoritiesModule } from './modules/keys/certificate-authorities/certificate-authorities.module.js';
import { CertificatesModule } from './modules/keys/certificates/certificates.module.js';
import { CredentialsModule } from './modules/integrations/credentials/credentials.module.js';
import { DataTableRowsModule } from './modules/data/data-table-rows/data-table-rows.module.js';
import { DataTablesModule } from './modules/data/data-tables/data-tables.module.js';
import { DeviceAttributesModule } from './modules/devices/device-attributes/device-attributes.module.js';
import { DeviceExportsModule } from './modules/devices/device-exports/device-exports.module.js';
import { DeviceBulkModule } from './modules/devices/device-bulk/device-bulk.module.js';
import { DeviceRemovalModule } from './modules/devices/device-removal/device-removal.module.js';
import { DeviceRecipesModule } from './modules/devices/device-recipes/device-recipes.module.js';
import { DeviceDataModule } from './modules/devices/device-data/device-data.module.js';
import { DevicesModule } from './modules/devices/devices/devices.module.js';
import { DeviceStateModule } from './modules/devices/device-state/device-state.module.js';
import { DeviceCommandsModule } from './modules/devices/device-commands/device-commands.module.js';
import { DeviceConnectionsModule } from './modules/devices/device-connections/device-connections.module.js';
import { DeviceSystemsModule } from './modules/devices/device-systems/device-systems.module.js';
import { DeviceStreamsModule } from './modules/devices/device-streams/device-streams.module.js';
import { DeviceTriggersModule } from './modules/devices/device-triggers/device-triggers.module.js';
import { EdgeDeploymentsModule } from './modules/deployments/edge-deployments/edge-deployments.module.js';
import { EmbeddedDeploymentsModule } from './modules/deployments/embedded-deployments/embedded-deployments.module.js';
import { EmbeddedModulesModule } from './modules/deployments/embedded-modules/embedded-modules.module.js';
import { EventsModule } from './modules/events/events/events.module.js';
import { ExperienceLinksModule } from './modules/experience/experience-links/experience-links.module.js';
import { ExperienceVersionsModule } from './modules/experience/experience-versions/experience-versions.module.js';
import { ExperienceViewsModule } from './modules/experience/experience-views/experience-views.module.js';
import { ExperienceModule } from './modules/experience/experience/experience.module.js';
import { ExperienceGroupsModule } from './modules/experience/experience-groups/experience-groups.module.js';
import { ExperienceUsersModule } from './modules/experience/experience-users/experience-users.module.js';
import { ExperienceDomainsModule } from './modules/experience/experience-domains/experience-domains.module.js';
import { ExperienceSlugsModule } from './modules/experience/experience-slugs/experience-slugs.module.js';
import { ExperienceEndpointsModule } from './modules/experience/experience-endpoints/experience-endpoints.module.js';
import { FilesModule } from './modules/files/files/files.module.js';
import { FlowRunsModule } from './modules/flows/flow-runs/flow-runs.module.js';
import { FlowsModule } from './modules/flows/flows/flows.module.js';
import { CustomNodesModule } from './modules/accounts/custom-nodes/custom-nodes.module.js';
import { InstanceSandboxesModule } from './modules/accounts/instance-sandboxes/instance-sandboxes.module.js';
import { InstanceOrgsModule } from './modules/accounts/instance-orgs/instance-orgs.module.js';
import { InstanceMembersModule } from './modules/accounts/instance-members/instance-members.module.js';
import { InstancesModule } from './modules/accounts/instances/instances.module.js';
import { JobsBoardModule } from './modules/jobs/jobs-board/jobs-board.module.js';
import { InvitesModule } from './modules/accounts/invites/invites.module.js';
import { JobLogsModule } from './modules/jobs/job-logs/job-logs.module.js';
import { MailInModule } from './modules/integrations/mail-in/mail-in.module.js';
import { MeModule } from './modules/accounts/me/me.module.js';
import { OrgsModule } from './modules/accounts/orgs/orgs.module.js';
import { PrivateFilesModule } from './modules/files/private-files/private-files.module.js';
import { TransfersModule } from './modules/accounts/transfers/transfers.module.js';
import { UsageReportsModule } from './modules/accounts/usage-reports/usage-reports.module.js';
import { UsageModule } from './modules/devices/usage/usage.module.js';
import { UsersModule } from './modules/accounts/users/users.module.js';
import { ImportsModule } from './modules/bundles/application-imports/imports.module.js';
import { WebhooksModule } from './modules/integrations/webhooks/webhooks.module.js';
import { WhitelabelsModule } from './modules/compat/whitelabels/whitelabels.module.js';
import { PlatformModule, type Foundation } from './platform/platform.module.js';
import { forRoles } from './platform/processes/roles.js';

/** Root module of the application: the platform and one module per resource family. */
@Module({})
export class AppModule {
  static on(foundation: Foundation): DynamicModule {
    const root = {
      module: AppModule,
      imports: [
        PlatformModule.on(foundation, {
          entities,
          holdings,
          frozen,
          jobs,
          recentKinds,
          bundles,
          keptBundles,
        }),
        AuthModule,
        AuditLogsModule,
        UsersModule,
        MeModule,
        ApiTokensModule,
        OrgsModule,
        InvitesModule,
        InstancesModule,
        InstanceMembersModule,
        InstanceOrgsModule,
        InstanceSandboxesModule,
        // Registered before the routes that take an application ID in the same position.
        UsageModule,
        UsageReportsModule,
        ApplicationsModule,
        ApplicationSearchModule,
        JobLogsModule,
        ...(foundation.config.JOBS_BOARD ? [JobsBoardModule] : []),
        ApplicationTemplatesModule,
        FlowsModule,
        FlowRunsModule,
        ApplicationKeysModule,
        CertificateAuthoritiesModule,
        CertificatesModule,
        ExperienceDomainsModule,
        ExperienceSlugsModule,
        CredentialsModule,
        CustomNodesModule,
        // Registered before devices: the first matching route wins, and `devices/compositeState` would also match a
        // device ID.
        DeviceDataModule,
        DevicesModule,
        DeviceRecipesModule,
        DeviceRemovalModule,
        EdgeDeploymentsModule,
        EmbeddedDeploymentsModule,
        DeviceBulkModule,
        DeviceStateModule,
        DeviceSystemsModule,
        DeviceAttributesModule,
        DeviceExportsModule,
        ExperienceEndpointsModule,
        ImportsModule,
        WebhooksModule,
        ...(foundation.config.MAIL_IN_PORT ? [MailInModule] : []),
        DataTablesModule,
        DataTableRowsModule,
        TransfersModule,
        WhitelabelsModule,
        FilesModule,
        PrivateFilesModule,
        DeviceTriggersModule,
        DeviceStreamsModule,
        DeviceCommandsModule,
        DeviceConnectionsModule,
        EmbeddedModulesModule,
        EventsModule,
        ExperienceVersionsModule,
        ExperienceViewsModule,
        ApplicationBundlesModule,
        ExperienceModule,
        ExperienceUsersModule,
        ExperienceGroupsModule,
        ExperienceLinksModule,
        ArchivesModule,
      ],
    };
    return forRoles(root, foundation.config.roles);
  }
}
