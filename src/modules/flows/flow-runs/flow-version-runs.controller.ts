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
    summary: 'Lists the runs of a workflow version',
    description:
      'Returns the runs newest first. A run is included once it has finished. Runs are retained for 30 days.',
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
    summary: 'Returns run statistics of a workflow version',
    description:
      'Divides the time range into steps and returns every step, including those without runs. The last step can extend beyond the end. A range that ends now is extended to the end of the current minute. Returns `400` if there are more than 1,440 steps (the minutes of a day). Also returns `400` if steps are shorter than a minute and the range is longer than an hour. Runs are retained for 30 days.',
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
    summary: 'Lists the errors of a workflow version',
    description:
      'Returns the errors that terminated paths of runs requested in the time range. Errors are retained for 30 days.',
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
