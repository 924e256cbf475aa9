import { ApiSchema } from '@nestjs/swagger';
import { IdField, JsonField, StringField } from '../../../platform/fields/fields.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { pageOf } from '../../../platform/lists/page.js';
import { COMPOSITE_DEVICE_STATE } from './device-data.schemas.js';

@ApiSchema({ name: 'CompositeDevice', description: 'A device with its newest values.' })
export class CompositeDevice {
  @IdField({ column: false, required: true, description: 'Its id.' })
  id: string;

  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name.',
    example: 'Pump 3',
  })
  name: string;

  @JsonField(COMPOSITE_DEVICE_STATE, {
    column: false,
    required: true,
    description: 'The newest value of each attribute, by name.',
  })
  compositeState: object;
}

/** What is read of a device; its values are read for all devices of a page together. */
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
      description: 'The advanced query, where there was one.',
      example: { deviceClass: 'gateway' },
    },
  )
  query?: object;
}
