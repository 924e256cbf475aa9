import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { loadSecretsKey } from '../../lib/crypto/keys.js';
import { SafeHttp } from '../../lib/http/safe-http.js';
import { JobsService } from '../jobs/jobs.service.js';
import { CallbackSigner } from './callback-signer.js';
import { CallbacksService } from './callbacks.service.js';
import { JobListeners } from './listeners.js';
import { Outcomes } from './outcomes.js';

/** Callbacks to external receivers. */
@Global()
@Module({})
export class CallbacksModule {
  static on({ SECRETS_KEY: configured, dataDir, callbackOrigins }: Config): DynamicModule {
    return {
      module: CallbacksModule,
      providers: [
        {
          provide: CallbacksService,
          inject: [JobsService],
          // The URLs come from callers, so only origins that the operator allows may be private.
          useFactory: (jobs: JobsService) =>
            new CallbacksService(
              jobs,
              new SafeHttp({ allowedOrigins: callbackOrigins }),
              new CallbackSigner(loadSecretsKey({ configured, dataDir })),
            ),
        },
        JobListeners,
        Outcomes,
      ],
      exports: [CallbacksService, JobListeners, Outcomes],
    };
  }
}
