import { Module } from '@nestjs/common';
import { FiringsModule } from '../../../workflows/runs/firings.module.js';
import { FlowRunsModule } from '../flow-runs/flow-runs.module.js';
import { DuePresses } from './due-presses.js';
import { FlowSchedulesRepository } from './flow-schedules.repository.js';
import { ScheduledPressesRepository } from './scheduled-presses.repository.js';
import { ScheduledPresses } from './scheduled-presses.js';
import { Timers } from './timers.js';

/** Schedules of the timers of workflows, and of presses of virtual buttons. */
@Module({
  imports: [FiringsModule, FlowRunsModule],
  providers: [DuePresses, FlowSchedulesRepository, ScheduledPresses, ScheduledPressesRepository, Timers],
  exports: [ScheduledPresses],
})
export class FlowSchedulesModule {}
