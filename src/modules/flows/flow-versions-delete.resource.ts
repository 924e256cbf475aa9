import { ApiSchema } from '@nestjs/swagger';
import { JsonField, StringField } from '../../platform/fields.js';
import { bodyQuerySchema } from '../../platform/list/body-query-schema.js';
import { FLOW_VERSION_QUERY } from './flow-queries.js';

@ApiSchema({ name: 'FlowVersionsDeletePost', description: 'Which versions of a workflow to delete.' })
export class FlowVersionsDeletePost {
  @JsonField(bodyQuerySchema(FLOW_VERSION_QUERY.fields, 'FlowVersionsDeleteQuery'), {
    column: false,
    required: true,
    description: 'What the versions are; `{}` is every one.',
    example: { version: { $startsWith: '0.' } },
  })
  query: object;

  @StringField({
    column: false,
    maxLength: 1024,
    format: 'email',
    description: 'Who is told when a job is done.',
    example: 'somebody@example.com',
  })
  email?: string;

  @StringField({
    column: false,
    maxLength: 1024,
    format: 'uri',
    description: 'What is called when a job is done.',
    example: 'https://example.com/done',
  })
  callbackUrl?: string;
}
