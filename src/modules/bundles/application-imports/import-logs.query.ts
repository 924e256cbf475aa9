import { QueryInteger, QueryTime } from '../../../platform/lists/query-fields.js';

/** Which imports are answered. */
export class ImportLogsQuery {
  @QueryInteger({ description: 'At most so many imports.', minimum: 1, maximum: 1_000, default: 1 })
  limit: number;

  @QueryTime({
    description: 'Only imports that were asked for after this time, in milliseconds since 1970.',
    example: 1_795_243_305_122,
  })
  since?: Date;
}
