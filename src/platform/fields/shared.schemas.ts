import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** Response of operations without other results. */
@ApiSchema({ name: 'Success', description: 'The operation succeeded.' })
export class Success {
  @ApiProperty({ type: 'boolean', enum: [true], description: 'Always `true` in responses.', example: true })
  success: true = true as const;
}

/** Response of operations that delete all resources matching a query. */
@ApiSchema({
  name: 'BulkDeleteResponse',
  description: 'Number of deleted resources, and of those that could not be deleted.',
})
export class BulkDeleteResponse {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of deleted resources.', example: 3 })
  removed: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Number of matching resources that could not be deleted.',
    example: 0,
  })
  failed: number;
}

/** Response of operations that continue as a job. */
@ApiSchema({ name: 'JobEnqueuedResult', description: 'The operation was queued as a job.' })
export class JobEnqueuedResult extends Success {
  @ApiProperty({ type: 'boolean', enum: [true], description: 'Always `true` in responses.', example: true })
  jobQueued: true = true as const;

  @ApiProperty({
    description:
      'ID of the job. If the path names an application, this ID opens the entry in its job log, and the response header `Location` contains the path of that entry.',
    example: '575ec8687ae143cd83dc4',
  })
  jobId: string;
}

/** Body of all error responses. */
@ApiSchema({ name: 'ErrorResponse', description: 'An error response.' })
export class ErrorBody {
  @ApiProperty({
    description:
      'Error code for programs: `Validation`, `Unauthorized`, `Forbidden`, `NotFound`, `MethodNotAllowed`, `Conflict`, `Gone`, `PayloadTooLarge`, `UnsupportedMediaType`, `TooManyRequests`, `AccountLocked`, `Unavailable` or `Error`. More values may be added.',
    example: 'Validation',
  })
  type: string;

  @ApiProperty({
    description: 'Human-readable message. Starts with the path of the invalid field, if any.',
    example: 'application.name is required',
  })
  message: string;
}

@ApiSchema({ name: 'ValidationProblem', description: 'A problem with a resource.' })
export class ValidationProblem {
  @ApiProperty({ description: 'Type of the resource.', example: 'Flow' })
  type: string;

  @ApiProperty({ required: false, description: 'Name of the resource.', example: 'Alarm' })
  name?: string;

  @ApiProperty({ required: false, description: 'ID of the resource.', example: '575ec8687ae143cd83dc4a97' })
  id?: string;

  @ApiProperty({ description: 'Description of the problem.', example: 'Node IDs must be unique.' })
  message: string;
}

@ApiSchema({
  name: 'ValidationErrors',
  description: 'Errors of an operation on several resources, too many of which are invalid.',
})
export class ValidationErrorsBody extends ErrorBody {
  @ApiProperty({ type: [ValidationProblem], description: 'First 100 problems, one per entry.' })
  validationErrors: ValidationProblem[];
}
