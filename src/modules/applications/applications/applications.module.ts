import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApplicationReadmeService } from './application-readme.service.js';
import { ApplicationReadmesRepository } from './application-readmes.repository.js';
import { ApplicationController } from './application.controller.js';
import { Application } from './application.resource.js';
import { ApplicationsController } from './applications.controller.js';
import { ApplicationsJobs } from './applications.jobs.js';
import { ApplicationsRepository } from './applications.repository.js';
import { ApplicationsService } from './applications.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Application])],
  controllers: [ApplicationsController, ApplicationController],
  providers: [
    ApplicationReadmesRepository,
    ApplicationReadmeService,
    ApplicationsRepository,
    ApplicationsService,
    ApplicationsJobs,
  ],
  exports: [ApplicationsRepository],
})
export class ApplicationsModule {}
