import { Controller, Get, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredPage } from '../../../platform/responses/stored-resources.js';
import { ApplicationJobLogs, type ApplicationJobLog } from './job-log.resource.js';
import { JobLogsQuery } from './job-logs.query.js';
import { JobLogsRepository } from './job-logs.repository.js';

@Controller('applications/:applicationId/jobLogs')
export class JobLogsController {
  constructor(private readonly logs: JobLogsRepository) {}

  @Get()
  @Operation('applicationJobLogs.get', {
    summary: 'Lists the jobs of an application',
    description:
      'Returns long-running tasks that operations on the application delegated to workers, such as exports and operations on many devices or events. Jobs are kept for 30 days after they end.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ApplicationJobLogs },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() { list }: JobLogsQuery,
  ): Promise<StoredPage<ApplicationJobLog>> {
    return this.logs.pageOf(application, list);
  }
}
