import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlowVersion } from './flow-version.resource.js';
import { Flow } from './flow.resource.js';
import { FlowController } from './flow.controller.js';
import { FlowCustomNodesRepository } from './flow-custom-nodes.repository.js';
import { FlowCustomNodesService } from './flow-custom-nodes.service.js';
import { FlowListsRepository } from './flow-lists.repository.js';
import { FlowListsService } from './flow-lists.service.js';
import { ExperienceFlowsRepository } from './experience-flows.repository.js';
import { ExperienceFlowsService } from './experience-flows.service.js';
import { FlowVersionController } from './flow-version.controller.js';
import { FlowVersionsController } from './flow-versions.controller.js';
import { FlowVersionsRepository } from './flow-versions.repository.js';
import { FlowVersionsService } from './flow-versions.service.js';
import { FlowsController } from './flows.controller.js';
import { FlowsImportController } from './flows-import.controller.js';
import { FlowsImportRepository } from './flows-import.repository.js';
import { FlowsImportService } from './flows-import.service.js';
import { FlowsJobs } from './flows.jobs.js';
import { FlowsRepository } from './flows.repository.js';
import { FlowsService } from './flows.service.js';
import { PaletteController } from './palette.controller.js';
import { PaletteRepository } from './palette.repository.js';
import { PaletteService } from './palette.service.js';

// The controller of the collection is registered before that of the items, because some of its paths also match item
// paths.
@Module({
  imports: [TypeOrmModule.forFeature([Flow, FlowVersion])],
  controllers: [
    PaletteController,
    FlowsImportController,
    FlowsController,
    FlowController,
    FlowVersionsController,
    FlowVersionController,
  ],
  providers: [
    FlowsRepository,
    FlowVersionsRepository,
    FlowListsRepository,
    FlowsImportRepository,
    PaletteRepository,
    ExperienceFlowsRepository,
    FlowCustomNodesRepository,
    ExperienceFlowsService,
    FlowCustomNodesService,
    FlowListsService,
    FlowsImportService,
    FlowsService,
    FlowVersionsService,
    PaletteService,
    FlowsJobs,
  ],
  exports: [ExperienceFlowsService, FlowCustomNodesRepository, FlowCustomNodesService, FlowsService],
})
export class FlowsModule {}
