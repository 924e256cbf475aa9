import { Module } from '@nestjs/common';
import { FiringsModule } from '../../../workflows/runs/firings.module.js';
import { DeviceSilences } from './device-silences.js';
import { DeviceSilencesRepository } from './device-silences.repository.js';
import { DeviceTriggers } from './device-triggers.js';

/** Workflow triggers for device events. */
@Module({
  imports: [FiringsModule],
  providers: [DeviceTriggers, DeviceSilences, DeviceSilencesRepository],
  exports: [DeviceTriggers, DeviceSilencesRepository],
})
export class DeviceTriggersModule {}
