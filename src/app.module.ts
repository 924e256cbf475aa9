import { Module, type DynamicModule } from '@nestjs/common';
import { entities } from './entities.js';
import { ApiTokensModule } from './modules/api-tokens/api-tokens.module.js';
import { ApplicationsModule } from './modules/applications/applications.module.js';
import { AuthModule } from './modules/auth/auth.module.js';
import { MeModule } from './modules/me/me.module.js';
import { OrgsModule } from './modules/orgs/orgs.module.js';
import { PlatformModule, type Foundation } from './platform/platform.module.js';

/** The whole application: the platform, and one module for each family. */
@Module({})
export class AppModule {
  static on(foundation: Foundation): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.on(foundation, entities),
        AuthModule,
        MeModule,
        ApiTokensModule,
        OrgsModule,
        ApplicationsModule,
      ],
    };
  }
}
