import { Module } from '@nestjs/common';
import { DeploymentsModule } from '../deployments/deployments.module.js';
import { EmbeddedDeploymentsModule } from '../embedded-deployments/embedded-deployments.module.js';
import { EmbeddedAgentController } from './embedded-agent.controller.js';
import { EmbeddedAgentService } from './embedded-agent.service.js';
import { EmbeddedExportController } from './embedded-export.controller.js';
import { EmbeddedExportJob } from './embedded-export.job.js';
import { EmbeddedExportsRepository } from './embedded-exports.repository.js';
import { EmbeddedExportsService } from './embedded-exports.service.js';
import { EmbeddedModulesRepository } from './embedded-modules.repository.js';
import { ModuleCompiler } from '../../../workflows/embedded/module-compiler.js';
import { ModuleBuilder } from './module-builder.js';
import { ModuleRetention } from './module-retention.js';

/** Compiled modules: created by workers, exported, and downloaded by devices. */
@Module({
  imports: [DeploymentsModule, EmbeddedDeploymentsModule],
  controllers: [EmbeddedExportController, EmbeddedAgentController],
  providers: [
    EmbeddedAgentService,
    EmbeddedExportJob,
    EmbeddedExportsRepository,
    EmbeddedExportsService,
    EmbeddedModulesRepository,
    ModuleCompiler,
    ModuleBuilder,
    ModuleRetention,
  ],
  exports: [EmbeddedAgentService],
})
export class EmbeddedModulesModule {}
