import type { ListSpec } from '../../../platform/lists/list-query.js';
import { listQuery, QueryId, SummaryQuery } from '../../../platform/lists/query-fields.js';

/** How applications are listed, with whatever is told of each. */
export const APPLICATION_LIST: ListSpec = {
  sort: ['name', 'id', 'creationDate', 'ownerId', 'lastUpdated'],
  defaultSort: 'name',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['name'],
};
export const ORG_ID = {
  blank: true,
  description:
    'An organization, for its applications; blank, for those of your sandbox; absent, for all that you see.',
};

export class ApplicationsQuery extends listQuery(APPLICATION_LIST, SummaryQuery) {
  @QueryId(ORG_ID)
  orgId?: string;
}
