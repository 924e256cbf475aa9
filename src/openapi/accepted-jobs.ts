type Json = Record<string, unknown>;

/** Header of responses that accept a job. */
export const JOB_LOCATION = {
  Location: {
    description: 'Path of the job in the job log of the application.',
    schema: { type: 'string' },
    example: '/applications/575ec8687ae143cd83dc4a97/jobLogs/575ecf887ae143cd83dc4aa2',
  },
};

/** Link from responses that accept a job to the operation that returns it. */
export const JOB_LINKS = {
  Job: {
    operationId: 'applicationJobLog_get',
    parameters: { applicationId: '$request.path.applicationId', jobId: '$response.body#/jobId' },
    description: 'The job, with its progress and its result.',
  },
};

/**
 * Documents `Location` and the link to the job if an operation accepts one. Jobs that no application in the path owns
 * have no job log: those of instances, and imports that create their application.
 */
export function documentJob(path: string, responses: Record<string, Json>): void {
  const { 202: accepted } = responses;
  const isJob = JSON.stringify(accepted?.content)?.includes('/JobEnqueuedResult"');
  if (!accepted || !isJob || !path.includes('{applicationId}')) return;
  accepted.headers = { Location: { $ref: '#/components/headers/Location' }, ...(accepted.headers as Json) };
  accepted.links = { job: { $ref: '#/components/links/Job' } };
}
