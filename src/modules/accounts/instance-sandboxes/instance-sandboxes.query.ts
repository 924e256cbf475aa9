import {
  listQuery,
  QueryBoolean,
  QueryId,
  QueryInteger,
  SummaryQuery,
} from '../../../platform/lists/query-fields.js';

const MAX_PER_PAGE = 1000;

const DEFAULT_PER_PAGE = 100;

export class InstanceSandboxesQuery extends listQuery(
  {
    sort: [
      'firstName',
      'lastName',
      'email',
      'id',
      'creationDate',
      'lastSuccessfulLogin',
      'lastFailedLogin',
      'failedLoginCount',
      'lastUpdated',
    ],
    defaultSort: 'email',
    defaultDirection: 'asc',
    filter: ['email', 'firstName', 'lastName'],
  },
  SummaryQuery,
) {
  @QueryId({ description: 'ID of a user; returns the users that follow, in the given order.' })
  startingAfterId?: string;

  @QueryId({ description: 'ID of a user; returns the users directly before, in the given order.' })
  endingBeforeId?: string;

  @QueryInteger({
    description: 'Maximum number of users to return.',
    minimum: 1,
    maximum: MAX_PER_PAGE,
    default: DEFAULT_PER_PAGE,
  })
  limit: number;

  @QueryBoolean({
    description: 'Whether to include deleted users whose data has not been removed yet.',
    default: false,
  })
  includeDeleted: boolean;
}
