import { Module, type DynamicModule } from '@nestjs/common';
import { FlowRunRetention } from './flow-run-retention.js';
import { FlowRunsController } from './flow-runs.controller.js';
import { FlowRunsService } from './flow-runs.service.js';
import { FlowStorageController } from './flow-storage.controller.js';
import { FlowStorageService } from './flow-storage.service.js';
import { FlowVersionRunsController } from './flow-version-runs.controller.js';
import { VirtualButtonsService } from './virtual-buttons.service.js';

/** Runs of workflows, and what they store. Global, since every family that receives something asks for runs. */
@Module({})
export class FlowRunsModule {
  static on({ runsWorker }: { runsWorker: boolean }): DynamicModule {
    return {
      module: FlowRunsModule,
      global: true,
      controllers: [FlowRunsController, FlowVersionRunsController, FlowStorageController],
      providers: [
        FlowRunsService,
        FlowStorageService,
        VirtualButtonsService,
        ...(runsWorker ? [FlowRunRetention] : []),
      ],
      exports: [FlowRunsService],
    };
  }
}
