import { QueryTime } from '../../../platform/lists/query-fields.js';

/** Query parameter that selects the day to archive. */
export class ArchiveDayQuery {
  @QueryTime({
    required: true,
    description: 'Any time within the day (UTC), in milliseconds since 1970.',
    example: 1_465_790_400_000,
  })
  date: Date;
}
