import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlowsModule } from '../../flows/flows/flows.module.js';
import { ExperienceVersionController } from './experience-version.controller.js';
import { ExperienceVersion } from './experience-version.resource.js';
import { ExperienceVersionsController } from './experience-versions.controller.js';
import { ExperienceVersionsRepository } from './experience-versions.repository.js';
import { ExperienceVersionsService } from './experience-versions.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ExperienceVersion]), FlowsModule],
  controllers: [ExperienceVersionsController, ExperienceVersionController],
  providers: [ExperienceVersionsRepository, ExperienceVersionsService],
  exports: [ExperienceVersionsRepository],
})
export class ExperienceVersionsModule {}
