import { ApiSchema } from '@nestjs/swagger';
import {
  AliasField,
  ChoiceField,
  DateField,
  IdField,
  JsonField,
  StringField,
} from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { LOGGED_TYPES, type LoggedType } from '../../../platform/jobs/job-definition.js';
import { Job, JOB_STATUSES, type JobStatus } from '../../../platform/jobs/job.entity.js';
import type { ListSpec } from '../../../platform/lists/list-query.js';
import { pageOf } from '../../../platform/lists/page.js';
import { JOB_ERROR, JOB_INPUT, JOB_OUTPUT, JOB_PROGRESS } from './job-log.schemas.js';

/** A job as the log of its application shows it: a view of its row, see `JobLogsRepository`. */
@ApiSchema({
  name: 'ApplicationJobLog',
  description: 'A piece of long work on an application, and how it goes.',
})
export class ApplicationJobLog {
  @IdField({ required: true, description: 'The id, 24 hexadecimal digits.' })
  id: string;

  @AliasField('job')
  jobId: string;

  @IdField({ required: true, description: 'The application that it is work on.' })
  applicationId: string;

  @StringField({
    required: true,
    description: 'The operation that asked for it.',
    example: 'device.export',
  })
  name: string;

  @ChoiceField(JOB_STATUSES, {
    required: true,
    description:
      '`queued` waits for a worker or for its next attempt, `inProgress` runs, `completed` is done. `errored` cannot be done as it was asked for, `failed` was given up after its last attempt.',
    example: 'completed',
  })
  status: JobStatus;

  @JsonField(JOB_PROGRESS, { description: 'How far it is, where it says so.' })
  progress?: object;

  @JsonField(JOB_ERROR, { description: 'What ended it, or why it is to be tried again.' })
  error?: object;

  @JsonField(JOB_INPUT, { description: 'What it was asked for, without secrets.' })
  input?: object;

  @JsonField(JOB_OUTPUT, { description: 'What came of it, where there is something to say.' })
  output?: object;

  @ChoiceField(LOGGED_TYPES, { required: true, description: 'What it is about.', example: 'device' })
  resourceType: LoggedType;

  @IdField({ description: 'Which one, where it is about one.' })
  resourceId?: string;

  @IdField({ required: true, description: 'Whose it is: the application, again.' })
  ownerId: string;

  @ChoiceField(['application', 'user', 'organization'], { required: true, description: 'What that is.' })
  ownerType: 'application' | 'user' | 'organization';

  @IdField({ description: 'The resource job that it is a run of, where it is one.' })
  jobExecutionId?: string;

  @IdField({ description: 'Who asked for it; absent for the platform itself.' })
  requestedById?: string;

  @ChoiceField(['user', 'apiToken', 'flow', 'device', 'system'], {
    required: true,
    description: 'What asked for it.',
  })
  requestedByType: 'user' | 'apiToken' | 'flow' | 'device' | 'system';

  @DateField({ required: true, description: 'When it was asked for.' })
  runQueuedAt: Date;

  @DateField({ description: 'When its latest attempt began.' })
  runStartedAt?: Date;

  @DateField({ description: 'When it ended.' })
  runCompletedAt?: Date;
}

/** The rows go with their application; what the log shows of them is nothing that anybody writes. */
export const JOBS = holding(Job, { table: 'jobs', title: 'Job' });

export const JOB_LOG_QUERY: NonNullable<ListSpec['query']> = {
  name: 'AdvancedApplicationJobLogQuery',
  example: { status: { $in: ['queued', 'inProgress'] } },
  fields: {
    id: { kind: 'id', column: 't.id' },
    name: { kind: 'string', column: 't.name' },
    status: { kind: 'string', column: 't.status' },
    resourceType: { kind: 'string', column: 't.resource_type' },
    resourceId: { kind: 'id', column: 't.resource_id' },
    runQueuedAt: { kind: 'date', column: 't.run_queued_at' },
    runStartedAt: { kind: 'date', column: 't.run_started_at' },
    runCompletedAt: { kind: 'date', column: 't.run_completed_at' },
  },
};

@ApiSchema({ name: 'ApplicationJobLogs', description: 'A page of the jobs of an application.' })
export class ApplicationJobLogs extends pageOf(
  ApplicationJobLog,
  'JobLogsPage',
  ['applicationId'],
  ['totalCount', 'page', 'perPage', 'sortField', 'sortDirection'],
) {
  @JsonField(
    { type: 'object', additionalProperties: true },
    {
      column: false,
      description: 'The advanced query, where there was one.',
      example: JOB_LOG_QUERY.example,
    },
  )
  query?: object;
}
