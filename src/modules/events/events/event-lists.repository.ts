import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { countSql } from '../../../platform/counts/counts.js';
import { Database } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { shaped } from '../../../platform/database/statements.js';
import { runList } from '../../../platform/lists/run-list.js';
import { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { followedQuery, followGroups, searching } from '../../devices/devices/followed-groups.js';
import { eventQueryFields, LISTED } from './event.columns.js';
import { Event } from './event.resource.js';
import { EVENT_STATES, type EventState } from './event.schemas.js';
import { selectedSql } from './event-selection.columns.js';
import type { EventsQuery, NewEventsQuery } from './events.query.js';

/** An event as lists show it: without its updates, which may be large. */
export const LISTED_EVENT = new RowShape(Event, LISTED);

/** How many events of an application there are, of one state or in all. */
const totalOf = (state?: EventState): string =>
  state ? countSql('$1', `'eventCount:${state}'`) : countSql('$1', `'eventCount'`, { parted: true });

/** Orders of which there is an index of all events; for others there is one of each state. */
const OF_ALL: ReadonlySet<string> = new Set(['id', 'creationDate', 'state']);
const STATES = `'{${EVENT_STATES.join()}}'::event_state[]`;

/** Lists of the events of an application. */
@Injectable()
export class EventListsRepository {
  constructor(private readonly database: Database) {}

  /** A page of events. An advanced query takes the place of the state. */
  async page(
    { id, ownerId }: ApplicationAccess,
    { list: given, state: asked }: EventsQuery,
  ): Promise<StoredPage<Event>> {
    const following = searching(this.database, { id, ownerId }, 'query');
    const list = await followedQuery(given, eventQueryFields, following);
    const state = list.condition ? undefined : asked;
    const ofApplication = ['t.application_id = $1'];
    const { items, envelope } = await runList(this.database, LISTED_EVENT, {
      table: 'events',
      owner: ownerId,
      where: [...ofApplication, ...(state ? ['t.state = $2'] : [])],
      values: [id, ...(state ? [state] : [])],
      list,
      total: totalOf(state),
      // Of each state the first in order are found by an index.
      holders:
        state || OF_ALL.has(list.sortField)
          ? undefined
          : { ids: STATES, column: 't.state', where: ofApplication },
    });
    return new StoredPage(items, { ...envelope, applicationId: id, state, query: list.query });
  }

  /** The newest of the gravest new events, and how many are new; of those alone that a caller searches for. */
  async gravest(
    { id, ownerId }: ApplicationAccess,
    { filter, query }: NewEventsQuery,
  ): Promise<{ event?: Stored<Event>; newCount: number }> {
    const following = searching(this.database, { id, ownerId }, 'query');
    const followed = await followGroups([query?.query ?? {}], eventQueryFields, following);
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
      event: first === null ? undefined : new Stored(LISTED_EVENT, rest),
      newCount: Number(rest.at(-1)),
    };
  }
}
