import { Module, Global } from '@nestjs/common';
import { JobsService } from './jobs.service.js';
@Global()
@Module({})
export class JobsModule {
  static on(_c: unknown) {
    return { module: JobsModule, providers: [JobsService], exports: [JobsService] };
  }
}
