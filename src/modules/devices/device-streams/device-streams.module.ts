import { Global, Module } from '@nestjs/common';
import { DevicesModule } from '../devices/devices.module.js';
import { DeviceEvents } from './device-events.js';
import { DeviceStreamsController } from './device-streams.controller.js';

/** Streams of what devices do. Global, since every family that receives something of devices tells of it. */
@Global()
@Module({
  imports: [DevicesModule],
  controllers: [DeviceStreamsController],
  providers: [DeviceEvents],
  exports: [DeviceEvents],
})
export class DeviceStreamsModule {}
