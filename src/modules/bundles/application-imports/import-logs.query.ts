import { QueryInteger, QueryTime } from '../../../platform/lists/query-fields.js';

/** Query parameters of the import log. */
export class ImportLogsQuery {
  @QueryInteger({
    description: 'Maximum number of imports to return.',
    minimum: 1,
    maximum: 1_000,
    default: 1,
  })
  limit: number;

  @QueryTime({
    description: 'Returns only imports requested after this time, in milliseconds since the Unix epoch.',
    example: 1_795_243_305_122,
  })
  since?: Date;
}
