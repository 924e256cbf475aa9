import { Module } from '@nestjs/common';
import { DevicesModule } from '../modules/devices/devices/devices.module.js';
import { ExperienceEndpointsModule } from '../modules/experience/experience-endpoints/experience-endpoints.module.js';
import { ExperienceUsersModule } from '../modules/experience/experience-users/experience-users.module.js';
import { FilesModule } from '../modules/files/files/files.module.js';
import { MessagesModule } from '../workflows/messages/messages.module.js';
import { FiringsModule } from '../workflows/runs/firings.module.js';
import { FileLinks } from './files/file-links.js';
import { SiteFiles } from './files/site-files.js';
import { Sites } from './hosts/sites.js';
import { SitesRepository } from './hosts/sites.repository.js';
import { HeldBodies } from './limits/held-bodies.js';
import { RequestLog } from './limits/request-log.js';
import { SiteRates } from './limits/site-rates.js';
import { Pages } from './pages/pages.js';
import { PreparedViews } from './pages/prepared-views.js';
import { PreparedReplies } from './replies/prepared-replies.js';
import { TopicStreams } from './replies/topic-streams.js';
import { SitesServer } from './server/sites-server.js';
import { TlsContexts } from './server/tls-contexts.js';
import { SiteAddresses } from './site-addresses.js';
import { SiteCaches } from './site-caches.js';
import { SiteHandler } from './site-handler.js';
import { SiteResponder } from './site-responder.js';
import { VersionsRepository } from './versions/versions.repository.js';
import { Versions } from './versions/versions.js';
import { EndpointAccess } from './visitors/endpoint-access.js';
import { VisitorsRepository } from './visitors/visitors.repository.js';
import { Visitors } from './visitors/visitors.js';
import { WorkflowReplies } from './workflow-replies.js';

/** Serves the sites of experiences, in processes with the role `sites`. */
@Module({
  imports: [
    DevicesModule,
    ExperienceEndpointsModule,
    ExperienceUsersModule,
    FilesModule,
    FiringsModule,
    MessagesModule,
  ],
  providers: [
    EndpointAccess,
    FileLinks,
    HeldBodies,
    Pages,
    PreparedReplies,
    PreparedViews,
    RequestLog,
    SiteAddresses,
    SiteCaches,
    SiteFiles,
    SiteHandler,
    SiteRates,
    SiteResponder,
    Sites,
    SitesRepository,
    SitesServer,
    TlsContexts,
    TopicStreams,
    Versions,
    VersionsRepository,
    Visitors,
    VisitorsRepository,
    WorkflowReplies,
  ],
})
export class SitesModule {}
