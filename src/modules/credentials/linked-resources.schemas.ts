import { ApiSchema } from '@nestjs/swagger';
import { ObjectField } from '../../platform/fields.js';
import { FlowVersions } from '../flows/flow-version.resource.js';
import { Flows } from '../flows/flow.resource.js';

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
  flows: object;

  @ObjectField(() => FlowVersions, {
    column: false,
    required: true,
    description: 'The versions of workflows of which a node names it.',
  })
  flowVersions: object;
}
