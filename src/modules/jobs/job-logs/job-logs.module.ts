import { Module } from '@nestjs/common';
import { JobLogController } from './job-log.controller.js';
import { JobLogsController } from './job-logs.controller.js';
import { JobLogsRepository } from './job-logs.repository.js';

/** What applications are told of their jobs. */
@Module({
  controllers: [JobLogsController, JobLogController],
  providers: [JobLogsRepository],
})
export class JobLogsModule {}
