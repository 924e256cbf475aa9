import { Module } from '@nestjs/common';
import { ApplicationReadmeService } from './application-readme.service.js';
import { ApplicationController } from './application.controller.js';
import { ApplicationsController } from './applications.controller.js';
import { ApplicationsJobs } from './applications.jobs.js';
import { ApplicationsRepository } from './applications.repository.js';
import { ApplicationsService } from './applications.service.js';

@Module({
  controllers: [ApplicationsController, ApplicationController],
  providers: [ApplicationsService, ApplicationsRepository, ApplicationReadmeService, ApplicationsJobs],
})
export class ApplicationsModule {}
