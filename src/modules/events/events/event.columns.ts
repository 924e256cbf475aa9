import type { Computed } from '../../../platform/database/row-shape.js';
import type { QueryFields } from '../../../platform/lists/advanced-query.js';
import { some } from '../../../platform/lists/query-operators.js';
import { groupQueryFields, type GroupConditions } from '../../devices/devices/device-groups.columns.js';
import { EVENT_LEVELS, EVENT_STATES, SOURCE_TYPES } from './event.schemas.js';

/** Properties of an event in lists that are not plain columns: enum types, sorted in their order. */
export const LISTED: readonly Computed[] = [
  { property: 'level', kind: 'plain', sql: 't.level' },
  { property: 'state', kind: 'plain', sql: 't.state' },
];

/** Computed properties of a complete event. */
export const EVENT_COMPUTED: readonly Computed[] = [
  ...LISTED,
  {
    property: 'updates',
    kind: 'json',
    sql: `CASE WHEN t.update_count = 0 THEN '[]' ELSE coalesce((
      SELECT json_agg(u.content ORDER BY u.number) FROM event_updates u WHERE u.event_id = t.id), '[]') END`,
  },
];

/**
 * Fields of events `t` that an advanced query can use. IDs have the type text, for compatibility with published
 * clients.
 */
const OWN_QUERY_FIELDS: QueryFields = {
  id: { kind: 'string', column: 't.id' },
  creationDate: { kind: 'date', column: 't.creation_date' },
  lastUpdated: { kind: 'date', column: 't.last_updated' },
  sourceId: { kind: 'string', column: 't.source_id' },
  sourceType: { kind: 'string', column: 't.source_type', values: SOURCE_TYPES },
  level: { kind: 'string', column: 't.level::text', values: EVENT_LEVELS },
  state: { kind: 'string', column: 't.state::text', values: EVENT_STATES },
  subject: { kind: 'string', column: 't.subject' },
  deviceId: { kind: 'string', column: 't.device_id' },
  eventTags: {
    kind: 'tags',
    column: 'SELECT e.key, e.value FROM jsonb_each_text(t.event_tags) e',
    rows: true,
  },
};

/** Fields of events `t` for advanced queries, including the conditions on devices from group queries. */
export const eventQueryFields = (others: GroupConditions): QueryFields => ({
  ...OWN_QUERY_FIELDS,
  ...groupQueryFields('t.device_id', (asked) => ofDevice(others(asked))),
});

/** The same without resolved groups, for documentation and validation. */
export const EVENT_QUERY_FIELDS: QueryFields = eventQueryFields(() => []);

/** Condition that the device of an event `t` meets one of the conditions, in which `t` is the device. */
const ofDevice = (conditions: readonly string[]): string[] =>
  conditions.length === 0
    ? []
    : [
        `EXISTS (SELECT FROM (VALUES (t.device_id)) e (id) JOIN devices t ON t.id = e.id WHERE ${some(conditions)})`,
      ];
