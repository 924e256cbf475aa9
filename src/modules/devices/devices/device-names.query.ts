import type { RequestedQuery } from '../../../platform/lists/list-query.js';
import { QueryAdvanced, QueryJson, QueryText } from '../../../platform/lists/query-fields.js';
import { DEVICE_QUERY } from './device-selection.js';
import { DATA_TYPES, type DataType } from './device.schemas.js';

const TYPE = { type: 'string', enum: DATA_TYPES };

/** Parameters that select devices and their names. */
export class DeviceNamesQuery {
  @QueryAdvanced(DEVICE_QUERY, 'Advanced query that selects devices, as JSON. Defaults to all devices.')
  query?: RequestedQuery;

  @QueryText({
    description: 'Prefix of the names, case-sensitive.',
    example: 'p',
    maxLength: 255,
  })
  startsWith?: string;
}

export class AttributeNamesQuery extends DeviceNamesQuery {
  @QueryJson(
    {
      title: 'DataTypeFilter',
      description: 'A data type, or several.',
      oneOf: [TYPE, { type: 'array', minItems: 1, maxItems: DATA_TYPES.length, items: TYPE }],
    },
    {
      description: 'Data type of the attributes, or an array of data types.',
      example: ['number', 'gps'],
    },
  )
  dataType?: DataType | DataType[];
}

export class TagValuesQuery extends DeviceNamesQuery {
  @QueryText({
    description: 'Tag key whose values are listed.',
    example: 'site',
    maxLength: 255,
    required: true,
  })
  key: string;
}
