import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FiringsModule } from '../../../workflows/runs/firings.module.js';
import { FlowRunRetention, FlowRunSumRetention } from './flow-run-retention.js';
import { FlowRun } from './flow-run.entity.js';
import { FlowRunSumsAggregator } from './flow-run-sums-aggregator.js';
import { FlowRunSumsRepository } from './flow-run-sums.repository.js';
import { FlowRunsController } from './flow-runs.controller.js';
import { FlowRunsRepository } from './flow-runs.repository.js';
import { FlowRunsService } from './flow-runs.service.js';
import { FlowStorageController } from './flow-storage.controller.js';
import { FlowStorage } from './flow-storage.entity.js';
import { FlowStorageRepository } from './flow-storage.repository.js';
import { FlowStorageService } from './flow-storage.service.js';
import { FlowVersionRunsController } from './flow-version-runs.controller.js';
import { VirtualButtonsRepository } from './virtual-buttons.repository.js';
import { VirtualButtonsService } from './virtual-buttons.service.js';

/** Runs of workflows and their storage. */
@Module({
  imports: [TypeOrmModule.forFeature([FlowRun, FlowStorage]), FiringsModule],
  controllers: [FlowRunsController, FlowVersionRunsController, FlowStorageController],
  providers: [
    FlowRunsRepository,
    FlowRunSumsRepository,
    FlowStorageRepository,
    VirtualButtonsRepository,
    FlowRunsService,
    FlowStorageService,
    VirtualButtonsService,
    FlowRunRetention,
    FlowRunSumRetention,
    FlowRunSumsAggregator,
  ],
  exports: [FlowRunsRepository],
})
export class FlowRunsModule {}
