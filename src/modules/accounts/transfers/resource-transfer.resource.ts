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

@ApiSchema({ name: 'ResourceTransfer', description: 'What is to go to another owner.' })
export class ResourceTransfer {
  @IdField({ column: false, required: true, description: 'The new owner.' })
  destinationId: string;

  @ChoiceField(['user', 'organization'], {
    column: false,
    required: true,
    description: 'What that is: `user` is your own sandbox.',
    example: 'organization',
  })
  destinationType: 'user' | 'organization';

  @JsonField(IDS, { column: false, description: 'The applications.', example: [ID_EXAMPLE] })
  applicationIds?: string[];

  @JsonField(IDS, { column: false, description: 'The dashboards.', example: [ID_EXAMPLE] })
  dashboardIds?: string[];

  @BooleanField({
    column: false,
    default: false,
    description:
      'Refuse the whole transfer for an id that is not one of the present owner; otherwise such ids are skipped.',
  })
  strict?: boolean;
}
