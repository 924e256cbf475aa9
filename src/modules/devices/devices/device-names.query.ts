import type { AskedQuery } from '../../../platform/lists/list-query.js';
import { QueryAdvanced, QueryJson, QueryText } from '../../../platform/lists/query-fields.js';
import { DEVICE_QUERY } from './device-selection.js';
import { DATA_TYPES, type DataType } from './device.schemas.js';

const TYPE = { type: 'string', enum: DATA_TYPES };

/** Of which devices, and which names of theirs. */
export class DeviceNamesQuery {
  @QueryAdvanced(DEVICE_QUERY, 'Of which devices: an advanced query, as JSON. Without one, of all.')
  query?: AskedQuery;

  @QueryText({
    description: 'How the names begin, upper or lower case as they are written.',
    example: 'p',
    maxLength: 255,
  })
  startsWith?: string;
}

export class AttributeNamesQuery extends DeviceNamesQuery {
  @QueryJson(
    { oneOf: [TYPE, { type: 'array', minItems: 1, maxItems: DATA_TYPES.length, items: TYPE }] },
    {
      description: 'The data type of the attributes, or several of which each will do.',
      example: ['number', 'gps'],
    },
  )
  dataType?: DataType | DataType[];
}

export class TagValuesQuery extends DeviceNamesQuery {
  @QueryText({ description: 'The key of the tags.', example: 'site', maxLength: 255, required: true })
  key: string;
}
