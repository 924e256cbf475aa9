import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApplicationKey } from './application-key.resource.js';
import { ApplicationKeyController } from './application-key.controller.js';
import { ApplicationKeysController } from './application-keys.controller.js';
import { ApplicationKeysRepository } from './application-keys.repository.js';
import { ApplicationKeysService } from './application-keys.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApplicationKey])],
  controllers: [ApplicationKeysController, ApplicationKeyController],
  providers: [ApplicationKeysRepository, ApplicationKeysService],
})
export class ApplicationKeysModule {}
