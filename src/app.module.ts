import { Module, type DynamicModule } from '@nestjs/common';
import {
  bundles,
  entities,
  frozen,
  holdings,
  jobs,
  versionBundles,
  modulesOf,
  recentKinds,
} from './families.js';
import { PlatformModule, type PlatformOptions } from './platform/platform.module.js';
import { forRoles } from './platform/processes/roles.js';
import { SitesModule } from './sites/sites.module.js';

/** Root module of the application: the platform and the modules of the resource families. */
@Module({})
export class AppModule {
  static on(foundation: PlatformOptions): DynamicModule {
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
          versionBundles,
        }),
        ...modulesOf(foundation.config),
        SitesModule,
      ],
    };
    return forRoles(root, foundation.config.roles);
  }
}
