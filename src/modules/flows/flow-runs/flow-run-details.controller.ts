import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { FlowRunDetailsService } from './flow-run-details.service.js';
import { FLOW_RUN_DETAILS, FLOW_RUN_REPLAY, FLOW_RUN_TRACE, FLOW_RUNS_PAGE } from './flow-run.schemas.js';
import { FLOW_RUNS_DROPPED } from './flow-run-answers.js';
import { FlowRunsDroppedQuery, FlowRunsQuery } from './flow-runs.query.js';

@Controller('applications/:applicationId/flows/:flowId/runs')
export class FlowRunDetailsController {
  constructor(private readonly runs: FlowRunDetailsService) {}

  @Get()
  @Operation('flowRuns.get', {
    summary: 'Lists the runs of a workflow with their IDs',
    description:
      'Returns the finished runs of all versions, newest first. For the next page, set `before` to the `requestedAt` of the last run. Runs are retained for 30 days.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: FLOW_RUNS_PAGE },
    missing: 'flow',
  })
  list(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Query() query: FlowRunsQuery,
  ): Promise<object> {
    return this.runs.list(applicationId, flowId, query);
  }

  @Get('dropped')
  @Operation('flowRuns.dropped', {
    summary: 'Counts the dropped runs of a workflow per interval',
    description:
      'Returns the number of runs that did not start because 20,000 runs of the application were waiting. Dropped runs are counted by the minute, in the interval in which the minute ends.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: FLOW_RUNS_DROPPED },
    missing: 'flow',
  })
  dropped(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Query() query: FlowRunsDroppedQuery,
  ): Promise<object> {
    return this.runs.dropped(applicationId, flowId, query);
  }

  @Get(':flowRunId')
  @Operation('flowRun.get', {
    summary: 'Returns a run with its payload',
    description:
      'Returns the outcome of a finished run, and the trigger with the payload that started it. `trigger` is missing if it has expired.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: FLOW_RUN_DETAILS },
    missing: 'flow run',
  })
  get(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Param('flowRunId') flowRunId: string,
  ): Promise<object> {
    return this.runs.get(applicationId, flowId, flowRunId);
  }

  @Get(':flowRunId/trace')
  @Operation('flowRun.trace', {
    summary: 'Returns the executed nodes of a run',
    description:
      'Returns which nodes the run has executed, when, for how long, and how each execution ended. Traces are stored of runs that failed, took at least 5 seconds, or were watched with a debug stream, and of the first run of each workflow in ten minutes. An application stores about 128 KiB of traces in ten minutes, and as much again of watched runs. Returns `404` if the trace of the run is not stored.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: FLOW_RUN_TRACE },
    missing: 'flow run trace',
  })
  trace(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Param('flowRunId') flowRunId: string,
  ): Promise<object> {
    return this.runs.trace(applicationId, flowId, flowRunId);
  }

  @Post(':flowRunId/replay')
  @Operation('flowRun.replay', {
    summary: 'Runs a workflow again with the payload of a run',
    description:
      'Enqueues a run with the trigger, the payload, the device and the version of a finished run. A run of the development version uses its current state. Returns the ID of the new run. It is listed once it has finished. Returns `400` if the version has been deleted, the workflow or the version is disabled, or the payload has expired. A workflow accepts 100 replays per 10 seconds. A caller who waited for a reply of the original run receives none.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: FLOW_RUN_REPLAY },
    missing: 'flow run',
  })
  replay(
    @CurrentApplication() application: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Param('flowRunId') flowRunId: string,
    @By() by: Author,
  ): Promise<{ flowRunId: string }> {
    return this.runs.replay(application, flowId, flowRunId, by);
  }
}
