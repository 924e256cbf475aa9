import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { countSql } from '../../../platform/counts/counts.js';
import { Database } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { shaped } from '../../../platform/database/statements.js';
import { runList } from '../../../platform/lists/run-list.js';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { resolvedQuery, resolveGroups, searchResolution } from '../../devices/devices/resolved-groups.js';
import { eventQueryFields, LISTED } from './event.columns.js';
import { Event } from './event.resource.js';
import { EVENT_STATES, type EventState } from './event.schemas.js';
import { selectedSql } from './event-selection.columns.js';
import type { EventsQuery, NewEventsQuery } from './events.query.js';

/** An event in lists: without its updates, which may be large. */
export const LISTED_EVENT = new RowShape(Event, LISTED);

/** SQL of the number of events of an application, with a given state or in total. */
const totalOf = (state?: EventState): string =>
  state ? countSql('$1', `'eventCount:${state}'`) : countSql('$1', `'eventCount'`, { parted: true });

/** Sort fields with an index over all events. Other fields have an index per state. */
const INDEXED_SORT_FIELDS: ReadonlySet<string> = new Set(['id', 'creationDate', 'state']);
const STATES = `'{${EVENT_STATES.join()}}'::event_state[]`;

/** Repository of event lists. */
@Injectable()
export class EventListsRepository {
  constructor(private readonly database: Database) {}

  /** Returns a page of events. An advanced query overrides the state. */
  async page(
    { id, ownerId }: ApplicationAccess,
    { list: given, state: asked }: EventsQuery,
  ): Promise<StoredPage<Event>> {
    const following = searchResolution(this.database, { id, ownerId }, 'query');
    const list = await resolvedQuery(given, eventQueryFields, following);
    const state = list.condition ? undefined : asked;
    const ofApplication = ['t.application_id = $1'];
    const { items, envelope } = await runList(this.database, LISTED_EVENT, {
      table: 'events',
      owner: ownerId,
      where: [...ofApplication, ...(state ? ['t.state = $2'] : [])],
      values: [id, ...(state ? [state] : [])],
      list,
      total: totalOf(state),
      // The first events of each state are found with an index.
      holders:
        state || INDEXED_SORT_FIELDS.has(list.sortField)
          ? undefined
          : { ids: STATES, column: 't.state', where: ofApplication },
    });
    return new StoredPage(items, { ...envelope, applicationId: id, state, query: list.query });
  }

  /**
   * Returns the newest of the new events with the highest level and the number of new events, both restricted to the
   * query of the caller.
   */
  async mostSevere(
    { id, ownerId }: ApplicationAccess,
    { filter, query }: NewEventsQuery,
  ): Promise<{ event?: StoredResource<Event>; newCount: number }> {
    const following = searchResolution(this.database, { id, ownerId }, 'query');
    const followed = await resolveGroups([query?.query ?? {}], eventQueryFields, following);
    const values: unknown[] = [id];
    const isSearch = filter !== undefined || query !== undefined;
    const found = `FROM events t WHERE t.application_id = $1 AND t.state = 'new'
      AND ${selectedSql({ filter, query: query?.query }, values, followed)}`;
    const count = isSearch ? `(SELECT count(*) ${found})` : totalOf('new');
    const text = `SELECT p.id, ${LISTED_EVENT.columns}, n.total FROM (SELECT ${count} AS total) n
      LEFT JOIN (SELECT t.id ${found} ORDER BY t.level DESC, t.creation_date DESC, t.id DESC LIMIT 1) p ON true
      LEFT JOIN LATERAL (SELECT * FROM events r WHERE r.id = p.id OFFSET 0) t ON true`;
    const [row] = isSearch
      ? await this.database.search(
          { text, values },
          { owner: ownerId, parameter: query ? 'query' : 'filter' },
        )
      : await this.database.run(shaped(text, values));
    const [first, ...rest] = row!;
    return {
      event: first === null ? undefined : new StoredResource(LISTED_EVENT, rest),
      newCount: Number(rest.at(-1)),
    };
  }
}
