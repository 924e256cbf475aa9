import { QueryTime } from '../../../platform/lists/query-fields.js';

/** Which day is archived. */
export class ArchiveDayQuery {
  @QueryTime({
    required: true,
    description: 'A time of the day (UTC), in milliseconds since 1970.',
    example: 1_465_790_400_000,
  })
  date: Date;
}
