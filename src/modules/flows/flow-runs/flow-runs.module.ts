import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DebugModule } from '../../../workflows/debug/debug.module.js';
import { FiringsModule } from '../../../workflows/runs/firings.module.js';
import { FlowDebugController } from './flow-debug.controller.js';
import { FlowNodeStatesRepository } from './flow-node-states.repository.js';
import { FlowRunDetailsController } from './flow-run-details.controller.js';
import { FlowRunDetailsRepository } from './flow-run-details.repository.js';
import { FlowRunDetailsService } from './flow-run-details.service.js';
import { FlowRunRetention, FlowRunSumRetention } from './flow-run-retention.js';
import { FlowRunSumsAggregator } from './flow-run-sums-aggregator.js';
import { FlowRunSumsRepository } from './flow-run-sums.repository.js';
import { FlowRunsController } from './flow-runs.controller.js';
import { FlowRunsRepository } from './flow-runs.repository.js';
import { FlowRunsService } from './flow-runs.service.js';
import { FlowStorageController } from './flow-storage.controller.js';
import { FlowStorage } from './flow-storage.entity.js';
import { FlowStoragePort } from './flow-storage-port.js';
import { FlowNodeStateRetention, FlowStorageRetention } from './flow-storage-retention.js';
import { FlowStorageRepository } from './flow-storage.repository.js';
import { FlowStorageService } from './flow-storage.service.js';
import { FlowVersionRunsController } from './flow-version-runs.controller.js';
import { VirtualButtonsRepository } from './virtual-buttons.repository.js';
import { VirtualButtonsService } from './virtual-buttons.service.js';

/** Runs of workflows and their storage. */
@Module({
  imports: [TypeOrmModule.forFeature([FlowStorage]), DebugModule, FiringsModule],
  controllers: [
    FlowDebugController,
    FlowRunDetailsController,
    FlowRunsController,
    FlowVersionRunsController,
    FlowStorageController,
  ],
  providers: [
    FlowRunDetailsRepository,
    FlowRunDetailsService,
    FlowRunsRepository,
    FlowRunSumsRepository,
    FlowStorageRepository,
    FlowNodeStatesRepository,
    VirtualButtonsRepository,
    FlowRunsService,
    FlowStorageService,
    FlowStoragePort,
    VirtualButtonsService,
    FlowRunRetention,
    FlowRunSumRetention,
    FlowStorageRetention,
    FlowNodeStateRetention,
    FlowRunSumsAggregator,
  ],
  exports: [FlowStoragePort, VirtualButtonsService],
})
export class FlowRunsModule {}
