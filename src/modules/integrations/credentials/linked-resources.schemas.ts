import { ApiSchema } from '@nestjs/swagger';
import { JsonField, ObjectField } from '../../../platform/fields/fields.js';
import type { Page } from '../../../platform/lists/page.js';
import { FlowVersions, type FlowVersion } from '../../flows/flows/flow-version.resource.js';
import { Flows, type Flow } from '../../flows/flows/flow.resource.js';
import { LINKED_INTEGRATIONS, NO_INTEGRATIONS } from './linked-integrations.schema.js';

/** What names a credential. */
@ApiSchema({
  name: 'CredentialLinkedResources',
  description: 'What signs in with a credential: of each kind 1,000 at most, of `totalCount`.',
})
export class CredentialLinkedResources {
  @ObjectField(() => Flows, {
    column: false,
    required: true,
    description: 'The workflows of which a node names it in the version that is being developed.',
  })
  flows: Page<Flow>;

  @ObjectField(() => FlowVersions, {
    column: false,
    required: true,
    description: 'The versions of workflows of which a node names it.',
  })
  flowVersions: Page<FlowVersion>;

  @JsonField(LINKED_INTEGRATIONS, {
    column: false,
    required: true,
    description: 'The integrations that sign in with it; none so far.',
    example: NO_INTEGRATIONS,
  })
  integrations: object;
}
