import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { FLOW_ERRORS, FLOW_LOG, FLOW_RUN_STATS } from './flow-run-answers.js';
import { FlowLogQuery, FlowVersionErrorsQuery, FlowVersionStatsQuery } from './flow-runs.query.js';
import { FlowRunsService } from './flow-runs.service.js';

@Controller('applications/:applicationId/flows/:flowId/versions/:flowVersionId')
export class FlowVersionRunsController {
  constructor(private readonly runs: FlowRunsService) {}

  @Get('logs')
  @Operation('flowVersion.getLogEntries', {
    summary: 'Returns the runs of a version of a workflow',
    description:
      'Newest first; one that was asked for and has not begun has no paths yet. Runs are kept for 30 days. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    scopedAs: 'flowVersion.log',
    role: 'view',
    returns: { 200: FLOW_LOG },
    missing: 'flow version',
  })
  log(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Param('flowVersionId') flowVersionId: string,
    @Query() query: FlowLogQuery,
  ): Promise<object[]> {
    return this.runs.log({ applicationId, flowId, flowVersionId }, query);
  }

  @Get('stats')
  @Operation('flowVersion.stats', {
    summary: 'Returns how often a version of a workflow ran',
    description:
      'The time is cut into steps from its beginning; every step is in the answer, also one in which nothing ran. The last step may reach beyond the end; a time that ends now ends with the current minute. More than 1,440 steps, a day of minutes, are 400, and so are steps of less than a minute where the time is longer than an hour. Runs are kept for 30 days. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: FLOW_RUN_STATS },
    missing: 'flow version',
  })
  stats(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Param('flowVersionId') flowVersionId: string,
    @Query() query: FlowVersionStatsQuery,
  ): Promise<object> {
    return this.runs.stats({ applicationId, flowId, flowVersionId }, query);
  }

  @Get('errors')
  @Operation('flowVersion.errors', {
    summary: 'Returns the errors of a version of a workflow',
    description:
      'What ended paths of the runs that were asked for in the time. Errors are kept for 30 days. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: FLOW_ERRORS },
    missing: 'flow version',
  })
  errors(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Param('flowVersionId') flowVersionId: string,
    @Query() query: FlowVersionErrorsQuery,
  ): Promise<object> {
    return this.runs.errors({ applicationId, flowId, flowVersionId }, query);
  }
}
