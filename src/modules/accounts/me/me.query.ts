import { QueryBoolean, SummaryQuery } from '../../../platform/lists/query-fields.js';

export class MeQuery extends SummaryQuery {
  @QueryBoolean({
    default: false,
    description: 'With the applications, dashboards and organizations that you looked at last.',
  })
  includeRecent: boolean;
}
