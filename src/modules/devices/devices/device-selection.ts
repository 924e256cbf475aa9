import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';
import { bodyQuerySchema } from '../../../platform/lists/body-query-schema.js';
import type { ListSpec } from '../../../platform/lists/list-query.js';
import { DEVICE_QUERY_FIELDS } from './device-query.columns.js';
import { TAG_FILTERS, type TagFilter } from './device.schemas.js';

/** Selection of devices of an application: those selected by ID, by tag, or by the query. */
export interface DeviceSelection {
  deviceIds?: readonly string[];
  deviceTags?: readonly TagFilter[];
  deviceQuery?: object;
}

/** Advanced query of device lists. */
export const DEVICE_QUERY: NonNullable<ListSpec['query']> = {
  name: 'AdvancedDeviceQuery',
  example: { deviceClass: 'standalone', tags: { site: 'north' } },
  fields: DEVICE_QUERY_FIELDS,
};

/** Advanced device query in a request body. */
export const DEVICE_QUERY_BODY: JsonSchema = bodyQuerySchema(DEVICE_QUERY_FIELDS, 'DeviceQuery');

/** Device IDs in a request body. */
export const DEVICE_IDS: JsonSchema = {
  type: 'array',
  maxItems: 1000,
  items: { type: 'string', pattern: ID_PATTERN, example: ID_EXAMPLE },
};

/** Device tags in a request body. */
export const DEVICE_TAGS: JsonSchema = TAG_FILTERS;

/** Text about `deviceIds`, `deviceTags` and `deviceQuery` in operation descriptions. */
export const SELECTION_NOTE =
  'Selects the devices in `deviceIds`, the devices that have one of the tags in `deviceTags` (an omitted `key` or `value` matches any), and the devices that match `deviceQuery`. Unknown IDs are ignored.';
