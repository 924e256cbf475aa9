import { ApiSchema } from '@nestjs/swagger';
import { ListenersBody } from '../../../platform/callbacks/asked-listeners.js';
import { BooleanField, IdField, IntegerField, StringField } from '../../../platform/fields/fields.js';

/** How many devices one call makes. */
export const MOST_NEW_DEVICES = 10_000;

const COLUMN = { column: false, maxLength: 255 } as const;

@ApiSchema({
  name: 'DeviceRecipeBulkCreatePost',
  description: 'Devices to make from a recipe: a CSV with a row for each, or how many.',
})
export class DeviceRecipeBulkCreatePost extends ListenersBody {
  @StringField({
    column: false,
    description:
      'A row for each device, below one that names the columns. A column that none of the other properties names is a tag, its name the key.',
    example: 'name,site\nPump 1,north\nPump 2,south\n',
  })
  csv?: string;

  @IntegerField({
    column: false,
    minimum: 1,
    maximum: MOST_NEW_DEVICES,
    description: 'Without a CSV: how many devices, all alike.',
    example: 3,
  })
  count?: number;

  @StringField({ ...COLUMN, description: 'The column of names.', example: 'name' })
  nameColumn?: string;

  @StringField({ ...COLUMN, description: 'The column of descriptions.', example: 'note' })
  descriptionColumn?: string;

  @StringField({ ...COLUMN, description: "The column of gateways' ids.", example: 'gateway' })
  gatewayIdColumn?: string;

  @StringField({ ...COLUMN, description: "The column of systems' ids.", example: 'system' })
  parentIdColumn?: string;

  @IdField({ column: false, description: 'The gateway of devices whose row names none.' })
  gatewayId?: string;

  @IdField({
    column: false,
    nullable: true,
    description: 'The system of devices whose row names none; `null` for none.',
  })
  parentId?: string | null;

  @BooleanField({
    column: false,
    description: 'Whether each device gets an access key of its own, whose secret is in the result alone.',
    default: false,
  })
  makeUniqueKeySecret?: boolean;
}

@ApiSchema({ name: 'DeviceRecipeBulkCreate', description: 'What became of each row.' })
export class DeviceRecipeBulkCreate {
  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'How many devices were made.',
    example: 2,
  })
  created: number;

  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'How many rows made none.',
    example: 0,
  })
  failed: number;

  @StringField({
    required: true,
    column: false,
    description:
      'The rows as they were sent, with the id of the device, its key and secret where it got one, or what is wrong with the row.',
    example: 'name,site,deviceId,error\r\nPump 1,north,575ec8687ae143cd83dc4a97,\r\n',
  })
  csvResult: string;
}
