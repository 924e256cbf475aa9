import { Module } from '@nestjs/common';
import { DebugModule } from '../../../workflows/debug/debug.module.js';
import { DevicesModule } from '../devices/devices.module.js';
import { DeviceEvents } from './device-events.js';
import { DeviceStreamsController } from './device-streams.controller.js';

/** Streams of device events. */
@Module({
  imports: [DebugModule, DevicesModule],
  controllers: [DeviceStreamsController],
  providers: [DeviceEvents],
  exports: [DeviceEvents],
})
export class DeviceStreamsModule {}
