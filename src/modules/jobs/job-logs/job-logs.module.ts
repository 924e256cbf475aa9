import { Module } from '@nestjs/common';
import { JobLogController } from './job-log.controller.js';
import { JobLogsController } from './job-logs.controller.js';
import { JobLogsRepository } from './job-logs.repository.js';

/** Job logs as shown to clients of applications. */
@Module({
  controllers: [JobLogsController, JobLogController],
  providers: [JobLogsRepository],
})
export class JobLogsModule {}
