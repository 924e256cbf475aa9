import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { FLOW_ERRORS, FLOW_LOG, FLOW_RUN_STATS } from './flow-run-answers.js';
import { FlowErrorsQuery, FlowLogQuery, FlowStatsQuery } from './flow-runs.query.js';
import { FlowRunsService } from './flow-runs.service.js';
import { VIRTUAL_BUTTON_PRESS, type VirtualButtonPress } from './virtual-button-press.js';
import { VirtualButtonsService } from './virtual-buttons.service.js';

@Controller('applications/:applicationId/flows/:flowId')
export class FlowRunsController {
  constructor(
    private readonly runs: FlowRunsService,
    private readonly buttons: VirtualButtonsService,
  ) {}

  @Get('logs')
  @Operation('flow.getLogEntries', {
    summary: 'Lists the runs of a workflow',
    description:
      'Returns the runs of all versions, newest first. A run is included once it has finished. Runs are retained for 30 days.',
    scopes: APPLICATION_CHILDREN_READ,
    scopedAs: 'flow.log',
    role: 'view',
    returns: { 200: FLOW_LOG },
    missing: 'flow',
  })
  log(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Query() query: FlowLogQuery,
  ): Promise<object[]> {
    return this.runs.log({ applicationId, flowId }, query);
  }

  @Get('stats')
  @Operation('flow.stats', {
    summary: 'Returns run statistics of a workflow',
    description:
      'Divides the time range into steps and returns every step, including those without runs. The last step can extend beyond the end. A range that ends now is extended to the end of the current minute. Returns `400` if there are more than 1,440 steps (the minutes of a day), or if the workflow does not have the version. Also returns `400` if steps are shorter than a minute and the range is longer than an hour. Runs are retained for 30 days.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: FLOW_RUN_STATS },
    missing: 'flow',
  })
  stats(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Query() query: FlowStatsQuery,
  ): Promise<object> {
    return this.runs.stats({ applicationId, flowId, flowVersion: query.flowVersion }, query);
  }

  @Get('errors')
  @Operation('flow.errors', {
    summary: 'Lists the errors of a workflow',
    description:
      'Returns the errors that terminated paths of runs requested in the time range. Returns `400` if the workflow does not have the version. Errors are retained for 30 days.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: FLOW_ERRORS },
    missing: 'flow',
  })
  errors(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Query() query: FlowErrorsQuery,
  ): Promise<object> {
    return this.runs.errors({ applicationId, flowId, flowVersion: query.flowVersion }, query);
  }

  @Post('virtualButton')
  @Operation('flow.pressVirtualButton', {
    summary: 'Presses a virtual button of a workflow',
    description:
      'Enqueues a run of the workflow from the button with the given key, and passes `payload` to it as data. Runs the default version, or the one in `flowVersion` (`develop`, `default`, or the name of a version). Returns `400` if the version or button does not exist. If the workflow or the version is disabled, nothing runs and the response is the same. For an edge or embedded workflow, `deviceId` is required: the press is sent to the agent of that device, which must be connected over MQTT and have the workflow. The default is then the version that the device runs. A button accepts 100 presses per 10 seconds.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { virtualButtonPress: VIRTUAL_BUTTON_PRESS },
    example: { key: 'V1StGXR8_Z5jdHi6B-myT', payload: { temp: 99 } },
    returns: { 200: Success },
    missing: 'flow',
  })
  press(
    @CurrentApplication() application: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Body() body: VirtualButtonPress,
    @By() by: Author,
  ): Promise<Success> {
    return this.buttons.press(application, flowId, body, by);
  }
}
