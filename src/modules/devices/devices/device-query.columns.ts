import type { QueryFields } from '../../../platform/lists/advanced-query.js';
import { groupQueryFields, type GroupConditions } from './device-groups.columns.js';
import { ANCESTORS } from './device.columns.js';
import { DEVICE_CLASSES } from './device.schemas.js';

const TAGS = `SELECT g.key, g.value FROM device_tags g
  WHERE g.application_id = t.application_id AND g.device_id = t.id`;
const ATTRIBUTE_NAMES = `SELECT a.name AS element FROM device_attribute_names a
  WHERE a.application_id = t.application_id AND a.device_id = t.id`;
/** Returns SQL for all devices below one or several systems. Searches from the top and follows systems only. */
const below = (ids: string) => `t.parent_id = ANY (ARRAY(WITH RECURSIVE systems (id) AS (
    SELECT s.id FROM devices s WHERE s.id = ANY (${ids}) AND s.deleted_at IS NULL
    UNION SELECT s.id FROM systems p CROSS JOIN LATERAL (SELECT d.id FROM devices d
      WHERE d.parent_id = p.id AND d.device_class = 'system' AND d.deleted_at IS NULL OFFSET 0) s)
  SELECT s.id FROM systems s))`;
/** Returns SQL for a column of the connection state; `NULL` if the status was never reported. */
const stateOf = (column: string) => `(SELECT s.${column} FROM device_states s WHERE s.device_id = t.id)`;

/** Query fields for devices `t` in queries of groups: all except group membership, which would be circular. */
export const GROUP_DEVICE_QUERY_FIELDS: QueryFields = {
  id: { kind: 'id', column: 't.id' },
  name: { kind: 'string', column: 't.name' },
  creationDate: { kind: 'date', column: 't.creation_date' },
  lastUpdated: { kind: 'date', column: 't.last_updated' },
  deletedAt: { kind: 'date', column: 't.deleted_at' },
  deviceClass: { kind: 'string', column: 't.device_class', values: DEVICE_CLASSES },
  gatewayId: { kind: 'id', column: 't.gateway_id' },
  parentId: { kind: 'id', column: 't.parent_id' },
  ancestorId: {
    kind: 'ids',
    column: `SELECT a.id AS element FROM (${ANCESTORS}) a`,
    rows: true,
    holdsOneOf: below,
  },
  tags: { kind: 'tags', column: TAGS, rows: true },
  attributeName: { kind: 'strings', column: ATTRIBUTE_NAMES, rows: true },
  connectionStatus: { kind: 'number', column: stateOf('connected') },
  connectedAt: { kind: 'date', column: stateOf('connected_at') },
  disconnectedAt: { kind: 'date', column: stateOf('disconnected_at') },
};

/** Returns the query fields for devices `t`, with the conditions that result from queries of groups. */
export const deviceQueryFields = (others: GroupConditions): QueryFields => ({
  ...GROUP_DEVICE_QUERY_FIELDS,
  ...groupQueryFields('t.id', others),
});

/** Query fields without queries of groups, for documentation and validation. */
export const DEVICE_QUERY_FIELDS: QueryFields = deviceQueryFields(() => []);
