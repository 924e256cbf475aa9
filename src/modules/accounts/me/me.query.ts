import { QueryBoolean, SummaryQuery } from '../../../platform/lists/query-fields.js';

export class MeQuery extends SummaryQuery {
  @QueryBoolean({
    default: false,
    description: 'Whether to include your recently viewed applications, dashboards and organizations.',
  })
  includeRecent: boolean;
}
