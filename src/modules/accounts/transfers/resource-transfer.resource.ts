import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  ID_EXAMPLE,
  ID_PATTERN,
  IdField,
  JsonField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';

const IDS: JsonSchema = { type: 'array', maxItems: 1000, items: { type: 'string', pattern: ID_PATTERN } };

@ApiSchema({ name: 'ResourceTransfer', description: 'Resources to transfer to another owner.' })
export class ResourceTransfer {
  @IdField({ column: false, required: true, description: 'ID of the new owner.' })
  destinationId: string;

  @ChoiceField(['user', 'organization'], {
    column: false,
    required: true,
    description: 'Type of the new owner. `user` is your own sandbox.',
    example: 'organization',
  })
  destinationType: 'user' | 'organization';

  @JsonField(IDS, {
    column: false,
    description: 'IDs of the applications to transfer.',
    example: [ID_EXAMPLE],
  })
  applicationIds?: string[];

  @JsonField(IDS, { column: false, description: 'IDs of the dashboards to transfer.', example: [ID_EXAMPLE] })
  dashboardIds?: string[];

  @BooleanField({
    column: false,
    default: false,
    description:
      'Whether to reject the whole transfer if an ID does not belong to the current owner. By default, such IDs are skipped.',
  })
  strict?: boolean;
}
