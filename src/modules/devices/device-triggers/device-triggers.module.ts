import { Global, Module } from '@nestjs/common';
import { DeviceTriggers } from './device-triggers.js';

/** Workflows that listen to devices. Global, since every family that receives something of devices fires them. */
@Global()
@Module({ providers: [DeviceTriggers], exports: [DeviceTriggers] })
export class DeviceTriggersModule {}
