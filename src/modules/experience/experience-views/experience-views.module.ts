import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExperienceVersionsModule } from '../experience-versions/experience-versions.module.js';
import { ExperienceViewController } from './experience-view.controller.js';
import { ExperienceView } from './experience-view.resource.js';
import { ExperienceViewsController } from './experience-views.controller.js';
import { ExperienceViewsRepository } from './experience-views.repository.js';
import { ExperienceViewsService } from './experience-views.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ExperienceView]), ExperienceVersionsModule],
  controllers: [ExperienceViewsController, ExperienceViewController],
  providers: [ExperienceViewsRepository, ExperienceViewsService],
  exports: [ExperienceViewsRepository, ExperienceViewsService],
})
export class ExperienceViewsModule {}
