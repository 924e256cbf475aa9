import {
  listQuery,
  QueryBoolean,
  QueryId,
  QueryInteger,
  SummaryQuery,
} from '../../../platform/lists/query-fields.js';

const MOST = 1000;

const USUAL = 100;

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
  @QueryId({ description: 'Return those that follow this one, in the order asked for.' })
  startingAfterId?: string;

  @QueryId({ description: 'Return those that stand right before this one, in the order asked for.' })
  endingBeforeId?: string;

  @QueryInteger({
    description: 'How many to return at most.',
    minimum: 1,
    maximum: MOST,
    default: USUAL,
  })
  limit: number;

  @QueryBoolean({
    description: 'With deleted users whose data is not removed yet.',
    default: false,
  })
  includeDeleted: boolean;
}
