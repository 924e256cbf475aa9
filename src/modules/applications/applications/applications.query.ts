import type { ListSpec } from '../../../platform/lists/list-query.js';
import { listQuery, QueryId, SummaryQuery } from '../../../platform/lists/query-fields.js';

/** Properties by which applications are sorted and filtered. */
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
    'ID of an organization, to list its applications. Blank: those in your sandbox. Absent: all that you have access to.',
};

export class ApplicationsQuery extends listQuery(APPLICATION_LIST, SummaryQuery) {
  @QueryId(ORG_ID)
  orgId?: string;
}
