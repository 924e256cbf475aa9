import { Module } from '@nestjs/common';
import { FiringsModule } from '../../../workflows/runs/firings.module.js';
import { DeviceTriggers } from './device-triggers.js';

/** Workflow triggers for device events. */
@Module({ imports: [FiringsModule], providers: [DeviceTriggers], exports: [DeviceTriggers] })
export class DeviceTriggersModule {}
