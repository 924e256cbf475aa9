import type { Computed } from '../../platform/database/row-shape.js';
import type { QueryFields } from '../../platform/list/advanced-query.js';
import { groupQueryFields } from '../devices/device-groups.columns.js';
import { EVENT_LEVELS, EVENT_STATES, SOURCE_TYPES } from './event.schemas.js';

/** What lists show of an event beside its plain columns: these are types of their own, in whose order they are sorted. */
export const LISTED: readonly Computed[] = [
  { property: 'level', kind: 'plain', sql: 't.level' },
  { property: 'state', kind: 'plain', sql: 't.state' },
];

/** What is shown of an event as a whole. */
export const EVENT_COMPUTED: readonly Computed[] = [
  ...LISTED,
  {
    property: 'updates',
    kind: 'json',
    sql: `CASE WHEN t.update_count = 0 THEN '[]' ELSE coalesce((
      SELECT json_agg(u.content ORDER BY u.number) FROM event_updates u WHERE u.event_id = t.id), '[]') END`,
  },
];

/** What an advanced query may ask of events `t`. Ids are text here, as published clients have it. */
export const EVENT_QUERY_FIELDS: QueryFields = {
  id: { kind: 'string', column: 't.id' },
  creationDate: { kind: 'date', column: 't.creation_date' },
  lastUpdated: { kind: 'date', column: 't.last_updated' },
  sourceId: { kind: 'string', column: 't.source_id' },
  sourceType: { kind: 'string', column: 't.source_type', values: SOURCE_TYPES },
  level: { kind: 'string', column: 't.level::text', values: EVENT_LEVELS },
  state: { kind: 'string', column: 't.state::text', values: EVENT_STATES },
  subject: { kind: 'string', column: 't.subject' },
  deviceId: { kind: 'string', column: 't.device_id' },
  ...groupQueryFields('t.device_id'),
  eventTags: {
    kind: 'tags',
    column: 'SELECT e.key, e.value FROM jsonb_each_text(t.event_tags) e',
    rows: true,
  },
};
