import { Module } from '@nestjs/common';
import { FiringsModule } from '../../../workflows/runs/firings.module.js';
import { FlowSchedulesRepository } from './flow-schedules.repository.js';
import { Timers } from './timers.js';

/** Schedules of the timers of workflows. */
@Module({ imports: [FiringsModule], providers: [FlowSchedulesRepository, Timers] })
export class FlowSchedulesModule {}
