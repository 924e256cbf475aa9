import { Global, Module } from '@nestjs/common';
import { DevicesModule } from '../devices/devices.module.js';
import { DeviceEvents } from './device-events.js';
import { DeviceStreamsController } from './device-streams.controller.js';

/** Streams of device events. Global, because every module that stores device data announces events. */
@Global()
@Module({
  imports: [DevicesModule],
  controllers: [DeviceStreamsController],
  providers: [DeviceEvents],
  exports: [DeviceEvents],
})
export class DeviceStreamsModule {}
