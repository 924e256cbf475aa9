import { Module } from '@nestjs/common';
import { ApplicationSearchController } from './application-search.controller.js';
import { ApplicationSearchRepository } from './application-search.repository.js';
import { ApplicationSearchService } from './application-search.service.js';

@Module({
  controllers: [ApplicationSearchController],
  providers: [ApplicationSearchRepository, ApplicationSearchService],
})
export class ApplicationSearchModule {}
