import { ListenersQuery } from '../../../platform/callbacks/listener-fields.js';
import { bodyQuerySchema } from '../../../platform/lists/body-query-schema.js';
import type { RequestedQuery, ListSpec } from '../../../platform/lists/list-query.js';
import { listQuery, QueryAdvanced, QueryChoice, QueryText } from '../../../platform/lists/query-fields.js';
import { EVENT_QUERY_FIELDS } from './event.columns.js';
import { EVENT_STATES, type EventState } from './event.schemas.js';

/** Advanced query of events in the query string. */
export const EVENT_QUERY: NonNullable<ListSpec['query']> = {
  name: 'AdvancedEventQuery',
  example: { level: 'critical', eventTags: { site: 'north' } },
  fields: EVENT_QUERY_FIELDS,
};

/** Advanced query of events in a request body. */
export const EVENT_QUERY_BODY = bodyQuerySchema(EVENT_QUERY_FIELDS, 'EventQuery');

const OVERRIDDEN = 'Overridden by an advanced query.';
const STATE = {
  description: `State of the events. ${OVERRIDDEN}`,
  required: false,
} as const;

export class EventsQuery extends listQuery({
  sort: ['subject', 'id', 'creationDate', 'lastUpdated', 'level', 'state', 'deviceId'],
  defaultSort: 'creationDate',
  defaultDirection: 'desc',
  perPage: 100,
  filter: ['subject'],
  query: EVENT_QUERY,
}) {
  @QueryChoice(EVENT_STATES, STATE)
  state?: EventState;
}

const GLOB =
  'Case-insensitive pattern that must match the whole subject. `*` matches any text, `?` one character, and `\\` escapes the next character. Blank disables the filter.';

/** Query parameters that restrict new events. */
export class NewEventsQuery {
  @QueryText({ description: GLOB, maxLength: 255, example: 'pressure*' })
  filter?: string;

  @QueryAdvanced(EVENT_QUERY, 'Advanced query as JSON. Overrides `filter`.')
  query?: RequestedQuery;
}

/** Query parameters that select events to change and listeners to notify. */
export class EventSelectionQuery extends ListenersQuery {
  @QueryChoice(['subject'], {
    description: `Field to filter; defaults to \`subject\`. ${OVERRIDDEN}`,
    required: false,
  })
  filterField?: 'subject';

  @QueryText({ description: `${GLOB} ${OVERRIDDEN}`, maxLength: 255, example: 'pressure*' })
  filter?: string;

  @QueryChoice(EVENT_STATES, STATE)
  state?: EventState;

  @QueryAdvanced(EVENT_QUERY, 'Advanced query as JSON. Overrides `filter` and `state`.')
  query?: RequestedQuery;
}
