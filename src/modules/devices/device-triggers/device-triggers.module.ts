import { Global, Module } from '@nestjs/common';
import { DeviceTriggers } from './device-triggers.js';

/** Workflow triggers for device events. Global, because every module that stores device data fires them. */
@Global()
@Module({ providers: [DeviceTriggers], exports: [DeviceTriggers] })
export class DeviceTriggersModule {}
