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
import { notYet } from '../../../platform/not-yet.js';
import { JOB_ERROR, JOB_INPUT, JOB_OUTPUT, JOB_PROGRESS } from './job-log.schemas.js';

/** Job as shown in the log of its application: a view of its row, see `JobLogsRepository`. */
@ApiSchema({
  name: 'ApplicationJobLog',
  description: 'A long-running task for an application, with its progress.',
})
export class ApplicationJobLog {
  @IdField({ required: true, description: 'ID of the job, 24 hexadecimal digits.' })
  id: string;

  @AliasField('job')
  jobId: string;

  @IdField({ required: true, description: 'ID of the application that the job belongs to.' })
  applicationId: string;

  @StringField({
    required: true,
    description: 'Name of the operation that requested the job.',
    example: 'device.export',
  })
  name: string;

  @ChoiceField(JOB_STATUSES, {
    required: true,
    description:
      'Status of the job. `queued`: waiting for a worker or a retry. `inProgress`: running. `completed`: finished. `errored`: impossible to execute as requested. `failed`: abandoned after the last attempt.',
    example: 'completed',
  })
  status: JobStatus;

  @JsonField(JOB_PROGRESS, { description: 'Progress of the job, if reported.' })
  progress?: object;

  @JsonField(JOB_ERROR, { sampled: false, description: 'Error that ended the job or caused a retry.' })
  error?: object;

  @JsonField(JOB_INPUT, { description: 'Parameters of the job, without secrets.' })
  input?: object;

  @JsonField(JOB_OUTPUT, { description: 'Results of the job, if any.' })
  output?: object;

  @ChoiceField(LOGGED_TYPES, {
    title: 'JobResourceType',
    required: true,
    description: 'Type of the resource that the job processes.',
    example: 'device',
  })
  resourceType: LoggedType;

  @IdField({ description: 'ID of the resource, if the job processes a single one.' })
  resourceId?: string;

  @IdField({ required: true, description: 'ID of the owner of the job, which is the application.' })
  ownerId: string;

  @ChoiceField(['application', 'user', 'organization'], {
    title: 'JobOwnerType',
    required: true,
    description: 'Type of the owner of the job.',
  })
  ownerType: 'application' | 'user' | 'organization';

  @IdField({ description: notYet('resourceJobs', 'ID of the resource job, if the job is a run of one.') })
  jobExecutionId?: string;

  @IdField({ description: 'ID of the requester; absent for jobs of the platform itself.' })
  requestedById?: string;

  @ChoiceField(['user', 'apiToken', 'flow', 'device', 'system'], {
    required: true,
    description: 'Type of the requester.',
  })
  requestedByType: 'user' | 'apiToken' | 'flow' | 'device' | 'system';

  @DateField({ required: true, description: 'Time at which the job was requested, in UTC.' })
  runQueuedAt: Date;

  @DateField({ description: 'Time at which the latest attempt started, in UTC.' })
  runStartedAt?: Date;

  @DateField({ description: 'Time at which the job ended, in UTC.' })
  runCompletedAt?: Date;
}

/** Jobs are deleted with their application; clients cannot write them. */
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
      description: 'Advanced query of the request, if any.',
      example: JOB_LOG_QUERY.example,
    },
  )
  query?: object;
}
