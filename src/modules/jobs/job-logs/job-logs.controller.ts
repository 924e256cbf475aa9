import { Controller, Get, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredPage } from '../../../platform/responses/answers.js';
import { ApplicationJobLogs, type ApplicationJobLog } from './job-log.resource.js';
import { JobLogsQuery } from './job-logs.query.js';
import { JobLogsRepository } from './job-logs.repository.js';

@Controller('applications/:applicationId/jobLogs')
export class JobLogsController {
  constructor(private readonly logs: JobLogsRepository) {}

  @Get()
  @Operation('applicationJobLogs.get', {
    summary: 'Returns the jobs of an application',
    description:
      'The long work that operations on the application have handed to workers: exports, operations on many devices or events, and the like. Jobs are kept for 30 days after their end. Needs the role `view` on the application.',
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
