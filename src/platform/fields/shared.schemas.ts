import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** The answer of an operation that has nothing else to say. */
@ApiSchema({ name: 'Success', description: 'It is done.' })
export class Success {
  @ApiProperty({ type: 'boolean', enum: [true], description: 'Always true.', example: true })
  success: true = true as const;
}

/** The answer of an operation that removes everything that a query finds. */
@ApiSchema({ name: 'BulkDeleteResponse', description: 'What was removed, and what could not be.' })
export class BulkDeleteResponse {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many were removed.', example: 3 })
  removed: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'How many matched and could not be removed.',
    example: 0,
  })
  failed: number;
}

/** The answer of an operation that goes on as a job. */
@ApiSchema({ name: 'JobEnqueuedResult', description: 'It is taken on and will be done.' })
export class JobEnqueuedResult extends Success {
  @ApiProperty({ type: 'boolean', enum: [true], description: 'Always true.', example: true })
  jobQueued: true = true as const;

  @ApiProperty({
    description:
      'The id of the job. Where an application has it in its job log, the header `Location` of the answer says where.',
    example: '575ec8687ae143cd83dc4',
  })
  jobId: string;
}

/** Every answer that is no success. */
@ApiSchema({ name: 'Error', description: 'What went wrong.' })
export class ErrorBody {
  @ApiProperty({
    description:
      'The kind of error, for programs: `Validation`, `Unauthorized`, `Forbidden`, `NotFound`, `MethodNotAllowed`, `Conflict`, `Gone`, `PayloadTooLarge`, `UnsupportedMediaType`, `TooManyRequests`, `AccountLocked`, `Unavailable` or `Error`; more may come.',
    example: 'Validation',
  })
  type: string;

  @ApiProperty({
    description: 'What happened, for people. Begins with the field at fault where one is.',
    example: 'application.name is required',
  })
  message: string;
}

@ApiSchema({ name: 'ValidationProblem', description: 'What was wrong with one resource.' })
export class ValidationProblem {
  @ApiProperty({ description: 'The kind of resource.', example: 'Flow' })
  type: string;

  @ApiProperty({ required: false, description: 'Its name.', example: 'Alarm' })
  name?: string;

  @ApiProperty({ required: false, description: 'Its id.', example: '575ec8687ae143cd83dc4a97' })
  id?: string;

  @ApiProperty({ description: 'What is wrong.', example: 'Node IDs must be unique.' })
  message: string;
}

@ApiSchema({
  name: 'ValidationErrors',
  description: 'Too much was wrong with the resources of a larger operation.',
})
export class ValidationErrorsBody extends ErrorBody {
  @ApiProperty({ type: [ValidationProblem], description: 'One entry a problem, the first hundred.' })
  validationErrors: ValidationProblem[];
}
