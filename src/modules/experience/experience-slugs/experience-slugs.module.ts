import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExperienceVersionsModule } from '../experience-versions/experience-versions.module.js';
import { ExperienceSlugController } from './experience-slug.controller.js';
import { ExperienceSlug } from './experience-slug.resource.js';
import { ExperienceSlugsController } from './experience-slugs.controller.js';
import { ExperienceSlugsRepository } from './experience-slugs.repository.js';
import { ExperienceSlugsService } from './experience-slugs.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ExperienceSlug]), ExperienceVersionsModule],
  controllers: [ExperienceSlugsController, ExperienceSlugController],
  providers: [ExperienceSlugsRepository, ExperienceSlugsService],
  exports: [ExperienceSlugsRepository],
})
export class ExperienceSlugsModule {}
