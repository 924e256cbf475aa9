import { ApiSchema } from '@nestjs/swagger';
import { callbackSchema } from '../../../platform/callbacks/callback-schema.js';
import { ListenersBody } from '../../../platform/callbacks/listener-fields.js';
import { BooleanField, IdField, IntegerField, StringField } from '../../../platform/fields/fields.js';
import { exampleId } from '../../../platform/fields/example-id.js';
import { countSchema, linkSchema, timeSchema } from '../../../platform/fields/schema.js';

/** Maximum number of devices created per call. */
export const MAX_NEW_DEVICES = 10_000;

const COLUMN = { column: false, maxLength: 255 } as const;

@ApiSchema({
  name: 'DeviceRecipeBulkCreatePost',
  description: 'CSV with a row for each device, or the number of devices to create.',
})
export class DeviceRecipeBulkCreatePost extends ListenersBody {
  @StringField({
    column: false,
    description:
      'CSV with a header row and one row for each device. Columns that no other property names are tags, with the column name as the key.',
    example: 'name,site\nPump 1,north\nPump 2,south\n',
  })
  csv?: string;

  @IntegerField({
    column: false,
    minimum: 1,
    maximum: MAX_NEW_DEVICES,
    description: 'Number of identical devices to create. Required if `csv` is omitted.',
    example: 3,
  })
  count?: number;

  @StringField({
    ...COLUMN,
    description: 'Name of the column with the names of the devices.',
    example: 'name',
  })
  nameColumn?: string;

  @StringField({
    ...COLUMN,
    description: 'Name of the column with the descriptions of the devices.',
    example: 'note',
  })
  descriptionColumn?: string;

  @StringField({
    ...COLUMN,
    description: 'Name of the column with the IDs of the gateways.',
    example: 'gateway',
  })
  gatewayIdColumn?: string;

  @StringField({
    ...COLUMN,
    description: 'Name of the column with the IDs of the systems.',
    example: 'system',
  })
  parentIdColumn?: string;

  @IdField({ column: false, description: 'ID of the gateway of devices whose row contains none.' })
  gatewayId?: string;

  @IdField({
    column: false,
    nullable: true,
    description: 'ID of the system of devices whose row contains none; `null` for no system.',
  })
  parentId?: string | null;

  @BooleanField({
    column: false,
    description: 'Whether to create a separate access key for each device. Its secret is only in the result.',
    default: false,
  })
  makeUniqueKeySecret?: boolean;
}

@ApiSchema({ name: 'DeviceRecipeBulkCreate', description: 'Result of a bulk creation, by row.' })
export class DeviceRecipeBulkCreate {
  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'Number of devices that were created.',
    example: 2,
  })
  created: number;

  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'Number of rows that created no device.',
    example: 0,
  })
  failed: number;

  @StringField({
    required: true,
    column: false,
    description:
      'Rows as sent, with the ID of the device, its access key and secret if requested, or the error of the row. Requested keys are repeated in the columns `losantDeviceId`, `losantDeviceKey` and `losantDeviceSecret`.',
    example: `name,site,deviceId,error\r\nPump 1,north,${exampleId('device')},\r\n`,
  })
  csvResult: string;
}

/** Callback of a job that creates devices. */
export const RECIPE_BULK_CALLBACK = callbackSchema('RecipeBulk', {
  created: countSchema('Number of devices that were created.', 2),
  failed: countSchema('Number of rows that created no device.'),
  resultUrl: linkSchema('Link to a CSV file with the result of each row.', '24 hours'),
  resultEndsAt: timeSchema('Time at which the link expires, in UTC.'),
});
