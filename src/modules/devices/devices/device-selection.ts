import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';
import { bodyQuerySchema } from '../../../platform/lists/body-query-schema.js';
import type { ListSpec } from '../../../platform/lists/list-query.js';
import { DEVICE_QUERY_FIELDS } from './device-query.columns.js';
import { TAG_FILTERS, type TagFilter } from './device.schemas.js';

/** Which devices of an application something is for: those of the ids, of the tags and of the query together. */
export interface DeviceSelection {
  deviceIds?: readonly string[];
  deviceTags?: readonly TagFilter[];
  deviceQuery?: object;
}

/** The advanced query of lists of devices. */
export const DEVICE_QUERY: NonNullable<ListSpec['query']> = {
  name: 'AdvancedDeviceQuery',
  example: { deviceClass: 'standalone', tags: { site: 'north' } },
  fields: DEVICE_QUERY_FIELDS,
};

/** The same in a body. */
export const DEVICE_QUERY_BODY: JsonSchema = bodyQuerySchema(DEVICE_QUERY_FIELDS, 'DeviceQuery');

/** Ids of devices in a body. */
export const DEVICE_IDS: JsonSchema = {
  type: 'array',
  maxItems: 1000,
  items: { type: 'string', pattern: ID_PATTERN, example: ID_EXAMPLE },
};

/** Tags of devices in a body. */
export const DEVICE_TAGS: JsonSchema = TAG_FILTERS;

/** What descriptions say of bodies with `deviceIds`, `deviceTags` and `deviceQuery`. */
export const SELECTION_TOLD =
  'The devices are those of `deviceIds`, those that have one of the tags of `deviceTags`, of which an absent part matches any, and those that `deviceQuery` finds, together; ids of devices that there are not are ignored.';
