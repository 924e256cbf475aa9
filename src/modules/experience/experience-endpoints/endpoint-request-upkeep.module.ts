import { Module, type DynamicModule } from '@nestjs/common';
import { EndpointRequestRetention, EndpointRequestsFolder } from './endpoint-request-upkeep.js';
import { ExperienceEndpointsModule } from './experience-endpoints.module.js';

/** Background jobs for the requests to experiences. */
@Module({})
export class EndpointRequestUpkeepModule {
  static on({ runsWorker }: { runsWorker: boolean }): DynamicModule {
    return {
      module: EndpointRequestUpkeepModule,
      imports: [ExperienceEndpointsModule],
      providers: runsWorker ? [EndpointRequestsFolder, EndpointRequestRetention] : [],
    };
  }
}
