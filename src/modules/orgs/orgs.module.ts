import { Module } from '@nestjs/common';
import { OrgController } from './org.controller.js';
import { OrgsController } from './orgs.controller.js';
import { OrgsJobs } from './orgs.jobs.js';
import { OrgsRepository } from './orgs.repository.js';
import { OrgsService } from './orgs.service.js';

@Module({
  controllers: [OrgsController, OrgController],
  providers: [OrgsService, OrgsRepository, OrgsJobs],
})
export class OrgsModule {}
