import { Module } from '@nestjs/common';
import { FlowRunsModule } from '../../flows/flow-runs/flow-runs.module.js';
import { DeviceTriggers } from './device-triggers.js';

/** Workflow triggers for device events. */
@Module({ imports: [FlowRunsModule], providers: [DeviceTriggers], exports: [DeviceTriggers] })
export class DeviceTriggersModule {}
