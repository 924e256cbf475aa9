import { ListenersQuery } from '../../../platform/callbacks/asked-listeners.js';
import { bodyQuerySchema } from '../../../platform/lists/body-query-schema.js';
import type { AskedQuery, ListSpec } from '../../../platform/lists/list-query.js';
import { listQuery, QueryAdvanced, QueryChoice, QueryText } from '../../../platform/lists/query-fields.js';
import { EVENT_QUERY_FIELDS } from './event.columns.js';
import { EVENT_STATES, type EventState } from './event.schemas.js';

/** The advanced query of events. */
export const EVENT_QUERY: NonNullable<ListSpec['query']> = {
  name: 'AdvancedEventQuery',
  example: { level: 'critical', eventTags: { site: 'north' } },
  fields: EVENT_QUERY_FIELDS,
};

/** The same in a body. */
export const EVENT_QUERY_BODY = bodyQuerySchema(EVENT_QUERY_FIELDS, 'EventQuery');

const OVERRIDDEN = 'An advanced query takes its place.';
const STATE = {
  description: `The state of the events. ${OVERRIDDEN}`,
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
  'The whole subject, upper or lower case; `*` stands for any text, `?` for one character, `\\` takes the next one as it is. Blank means no filtering.';

/** Which new events are looked at. */
export class NewEventsQuery {
  @QueryText({ description: GLOB, maxLength: 255, example: 'pressure*' })
  filter?: string;

  @QueryAdvanced(EVENT_QUERY, 'An advanced query, as JSON. It takes the place of `filter`.')
  query?: AskedQuery;
}

/** Which events are changed, and who hears when that has ended. */
export class EventSelectionQuery extends ListenersQuery {
  @QueryChoice(['subject'], {
    description: `The field to filter; absent, \`subject\`. ${OVERRIDDEN}`,
    required: false,
  })
  filterField?: 'subject';

  @QueryText({ description: `${GLOB} ${OVERRIDDEN}`, maxLength: 255, example: 'pressure*' })
  filter?: string;

  @QueryChoice(EVENT_STATES, STATE)
  state?: EventState;

  @QueryAdvanced(EVENT_QUERY, 'An advanced query, as JSON. It takes the place of `filter` and `state`.')
  query?: AskedQuery;
}
