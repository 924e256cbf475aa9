import { Module, type DynamicModule } from '@nestjs/common';
import { FileLooksWorker } from './file-looks-worker.js';
import { FilesModule } from './files.module.js';

/** Background jobs for uploads. */
@Module({})
export class FileLooksModule {
  static on({ runsWorker }: { runsWorker: boolean }): DynamicModule {
    return {
      module: FileLooksModule,
      imports: [FilesModule],
      providers: runsWorker ? [FileLooksWorker] : [],
    };
  }
}
