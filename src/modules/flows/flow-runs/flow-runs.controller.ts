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
    summary: 'Returns the runs of a workflow',
    description:
      'Newest first, in whatever version they ran; one that was asked for and has not begun has no paths yet. Runs are kept for 30 days. Needs the role `view` on the application.',
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
    summary: 'Returns how often a workflow ran',
    description:
      'The time is cut into steps from its beginning; every step is in the answer, also one in which nothing ran. The last step may reach beyond the end; a time that ends now ends with the current minute. More than 1,440 steps, a day of minutes, are 400, and so are steps of less than a minute where the time is longer than an hour. A version that the workflow does not have is 400. Runs are kept for 30 days. Needs the role `view` on the application.',
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
    summary: 'Returns the errors of a workflow',
    description:
      'What ended paths of the runs that were asked for in the time. A version that the workflow does not have is 400. Errors are kept for 30 days. Needs the role `view` on the application.',
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
      'Asks for a run of the workflow from the button with that key, with `payload` as its data: in the version that runs, or in the one that `flowVersion` names (`develop`, `default`, or the name of a version). A version or button that is not there is 400. Where the workflow or the version is disabled, nothing runs and the answer is the same. A button can be pressed a hundred times in ten seconds. Needs the role `collaborate` on the application.',
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
