import { Controller, Get, Param, Query, Res, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { StreamContext } from '../../../platform/streams/open-streams.js';
import { streamNote, StreamQuery } from '../../../platform/streams/stream-query.js';
import { applicationDebugChannel, flowDebugChannel } from '../../../workflows/debug/debug-channels.js';
import {
  DEBUG_EVENTS,
  DEBUG_NOTE,
  DEVICE_DEBUG_EVENTS,
  DEVICE_ERROR_NOTE,
} from '../../../workflows/debug/debug-events.js';
import { DebugStreams } from '../../../workflows/debug/debug-streams.js';
import { FlowRunsService } from './flow-runs.service.js';

@Controller('applications/:applicationId')
export class FlowDebugController {
  constructor(
    private readonly streams: DebugStreams,
    private readonly runs: FlowRunsService,
  ) {}

  @Get('debugStream')
  @Operation('application.debugStream', {
    summary: 'Streams the debug messages of all workflows of an application',
    description: `${DEBUG_NOTE} ${DEVICE_ERROR_NOTE} ${streamNote('application')}`,
    scopes: APPLICATION_CHILDREN_WRITE,
    scopedAs: 'application.debug',
    role: 'collaborate',
    returns: { 200: null },
    events: DEVICE_DEBUG_EVENTS,
    missing: 'application',
  })
  ofApplication(
    @Param('applicationId') applicationId: string,
    @Query() query: StreamQuery,
    @StreamContext() context: ExecutionContext,
    @Res() _response: Response,
  ): Promise<void> {
    return this.streams.open(context, applicationDebugChannel(applicationId), query);
  }

  @Get('flows/:flowId/debugStream')
  @Operation('flow.debugStream', {
    summary: 'Streams the debug messages of a workflow',
    description: `${DEBUG_NOTE} ${streamNote('workflow')}`,
    scopes: APPLICATION_CHILDREN_WRITE,
    scopedAs: 'flow.debug',
    role: 'collaborate',
    returns: { 200: null },
    events: DEBUG_EVENTS,
    missing: 'flow',
  })
  ofFlow(
    @Param('flowId') flowId: string,
    @Query() query: StreamQuery,
    @StreamContext() context: ExecutionContext,
    @Res() _response: Response,
  ): Promise<void> {
    return this.streams.open(context, flowDebugChannel(flowId), query, ({ id: applicationId }) =>
      this.runs.assertFlow(applicationId, flowId),
    );
  }
}
