import { QueryId, SummaryQuery } from '../../../platform/lists/query-fields.js';

export class MemberQuery extends SummaryQuery {
  @QueryId({ required: true, description: 'User ID of the member.' })
  userId: string;
}
