import { Module } from '@nestjs/common';
import { ApplicationKeyController } from './application-key.controller.js';
import { ApplicationKeysController } from './application-keys.controller.js';
import { ApplicationKeysService } from './application-keys.service.js';

@Module({
  controllers: [ApplicationKeysController, ApplicationKeyController],
  providers: [ApplicationKeysService],
})
export class ApplicationKeysModule {}
