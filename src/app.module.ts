import { Module, type DynamicModule } from '@nestjs/common';
import {
  bundles,
  entities,
  frozen,
  holdings,
  jobs,
  keptBundles,
  modulesOf,
  recentKinds,
} from './families.js';
import { PlatformModule, type Foundation } from './platform/platform.module.js';
import { forRoles } from './platform/processes/roles.js';

/** Root module of the application: the platform and the modules of the resource families. */
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
        ...modulesOf(foundation.config),
      ],
    };
    return forRoles(root, foundation.config.roles);
  }
}
