import { ApiSchema } from '@nestjs/swagger';
import { IdField, JsonField, StringField } from '../../../platform/fields/fields.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { pageOf } from '../../../platform/lists/page.js';
import { COMPOSITE_DEVICE_STATE } from './device-data.schemas.js';

@ApiSchema({ name: 'CompositeDevice', description: 'A device with the newest value of each attribute.' })
export class CompositeDevice {
  @IdField({ column: false, required: true, description: 'Unique ID of the device.' })
  id: string;

  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the device.',
    example: 'Pump 3',
  })
  name: string;

  @JsonField(COMPOSITE_DEVICE_STATE, {
    column: false,
    required: true,
    description: 'Newest value of each attribute, by attribute name.',
  })
  compositeState: object;
}

/** Columns read for each device; the values of all devices of a page are read together. */
export const NAMED_DEVICE = new RowShape(CompositeDevice, [
  { property: 'name', kind: 'text', sql: 't.name' },
]);

@ApiSchema({ name: 'CompositeDevicesState', description: 'A page of devices with their newest values.' })
export class CompositeDevicesState extends pageOf(
  CompositeDevice,
  'CompositeDevicesPage',
  ['applicationId'],
  ['totalCount', 'page', 'perPage', 'sortField', 'sortDirection'],
) {
  @JsonField(
    { type: 'object', additionalProperties: true },
    {
      column: false,
      description: 'Advanced device query of the request, if any.',
      example: { deviceClass: 'gateway' },
    },
  )
  query?: object;
}
