import { Global, Module } from '@nestjs/common';
import { DeviceEvents } from './device-events.js';

/** Streams of what devices do. Global, since every family that receives something of devices tells of it. */
@Global()
@Module({ providers: [DeviceEvents], exports: [DeviceEvents] })
export class DeviceStreamsModule {}
