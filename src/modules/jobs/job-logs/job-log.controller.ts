import { Controller, Get, Param, Req, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { jobChannel } from '../../../platform/jobs/job-log-id.js';
import { Operation } from '../../../platform/operations/operation.js';
import { RESPONSE_SENT, type StoredResource } from '../../../platform/responses/stored-resources.js';
import { OpenStreams, StreamContext } from '../../../platform/streams/open-streams.js';
import { ApplicationJobLog } from './job-log.resource.js';
import { JobLogsRepository } from './job-logs.repository.js';

const KEEP_ALIVE_SECONDS = 5;

@Controller('applications/:applicationId/jobLogs/:jobId')
export class JobLogController {
  constructor(
    private readonly logs: JobLogsRepository,
    private readonly streams: OpenStreams,
  ) {}

  @Get()
  @Operation('applicationJobLog.get', {
    summary: 'Returns or streams a job of an application',
    description:
      'The ID is the `jobId` of the response that accepted the job, or the `id` in the job log, which is also in the `Location` header of that response. With `Accept: text/event-stream`, returns server-sent events named `job`, each with the current state of the job. An event is sent immediately, after each change, and finally when the job has ended, which closes the stream. Returns `429` if a token or an owner has too many open streams.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ApplicationJobLog },
    events: { job: ApplicationJobLog },
    missing: 'job',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('jobId') jobId: string,
    @Req() request: Request,
    @StreamContext() context: ExecutionContext,
  ): Promise<StoredResource<ApplicationJobLog> | typeof RESPONSE_SENT> {
    const asksForStream = request.accepts(['json', 'text/event-stream']) === 'text/event-stream';
    return asksForStream ? this.follow(jobId, context) : this.logs.obtain(id, jobId);
  }

  private async follow(jobId: string, context: ExecutionContext): Promise<typeof RESPONSE_SENT> {
    await this.streams.follow(context, {
      channel: jobChannel(jobId),
      keepAliveInterval: KEEP_ALIVE_SECONDS,
      find: ({ id }) => this.logs.obtain(id, jobId),
      toEvent: (job) => ({
        name: 'job',
        data: job.toJsonText(() => true),
        isLast: job.text('runCompletedAt') !== null,
      }),
    });
    return RESPONSE_SENT;
  }
}
