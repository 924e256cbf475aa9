import { Module } from '@nestjs/common';
import { DebugModule } from '../../../workflows/debug/debug.module.js';
import { MessagesModule } from '../../../workflows/messages/messages.module.js';
import { FlowPortsModule } from '../../../workflows/ports/flow-ports.module.js';
import { FiringsModule } from '../../../workflows/runs/firings.module.js';
import { ExperienceUsersModule } from '../../experience/experience-users/experience-users.module.js';
import { CredentialsModule } from '../../integrations/credentials/credentials.module.js';
import { PrivateFilesModule } from '../../files/private-files/private-files.module.js';
import { FlowRunsModule } from '../../flows/flow-runs/flow-runs.module.js';
import { FlowSchedulesModule } from '../../flows/flow-schedules/flow-schedules.module.js';
import { EngineMetrics } from './engine-metrics.js';
import { Engine } from './engine.js';
import { Finisher } from './finisher.js';
import { LaneLeasesRepository } from './lane-leases.repository.js';
import { Programs } from './programs.js';
import { ProgramsRepository } from './programs.repository.js';
import { RunEffectsRetention } from './run-effects-retention.js';
import { RunEffectsRepository } from './run-effects.repository.js';
import { RunEffects } from './run-effects.js';
import { RunExecutor } from './run-executor.js';
import { RunFailures } from './run-failures.js';
import { RunInboxRepository } from './run-inbox.repository.js';
import { RunPorts } from './run-ports.js';
import { RunSpans } from './run-spans.js';
import { RunTraces } from './run-traces.js';

/** Executes requested runs, in processes with the role `engine`. */
@Module({
  imports: [
    CredentialsModule,
    DebugModule,
    ExperienceUsersModule,
    FiringsModule,
    FlowPortsModule,
    FlowRunsModule,
    FlowSchedulesModule,
    MessagesModule,
    PrivateFilesModule,
  ],
  providers: [
    Engine,
    EngineMetrics,
    Finisher,
    LaneLeasesRepository,
    Programs,
    ProgramsRepository,
    RunEffects,
    RunEffectsRepository,
    RunEffectsRetention,
    RunExecutor,
    RunFailures,
    RunInboxRepository,
    RunPorts,
    RunSpans,
    RunTraces,
  ],
})
export class DeliveryModule {}
