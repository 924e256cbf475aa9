import { ApiSchema } from '@nestjs/swagger';
import { ListenersBody } from '../../../platform/callbacks/listener-fields.js';
import { JsonField } from '../../../platform/fields/fields.js';
import { bodyQuerySchema } from '../../../platform/lists/body-query-schema.js';
import { FLOW_VERSION_QUERY } from './flow-queries.js';

@ApiSchema({ name: 'FlowVersionsDeletePost', description: 'Selects the versions of a workflow to delete.' })
export class FlowVersionsDeletePost extends ListenersBody {
  @JsonField(bodyQuerySchema(FLOW_VERSION_QUERY.fields, 'FlowVersionsDeleteQuery'), {
    column: false,
    required: true,
    description: 'Advanced query that selects the versions to delete; `{}` selects all of them.',
    example: { version: { $startsWith: '0.' } },
  })
  query: object;
}
