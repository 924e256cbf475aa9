import { ApiSchema } from '@nestjs/swagger';
import { ObjectField } from '../../../platform/fields/fields.js';
import type { Page } from '../../../platform/lists/page.js';
import { FlowVersions, type FlowVersion } from '../../flows/flows/flow-version.resource.js';
import { Flows, type Flow } from '../../flows/flows/flow.resource.js';
import { Integrations, type Integration } from '../integrations/integration.resource.js';

/** Resources that refer to a credential. */
@ApiSchema({
  name: 'CredentialLinkedResources',
  description:
    'Resources that authenticate with a credential. Each page has up to 1,000 of `totalCount` resources.',
})
export class CredentialLinkedResources {
  @ObjectField(() => Flows, {
    column: false,
    required: true,
    description: 'Workflows whose development version has a node that refers to the credential.',
  })
  flows: Page<Flow>;

  @ObjectField(() => FlowVersions, {
    column: false,
    required: true,
    description: 'Workflow versions with a node that refers to the credential.',
  })
  flowVersions: Page<FlowVersion>;

  @ObjectField(() => Integrations, {
    column: false,
    required: true,
    description: 'Integrations that authenticate with the credential.',
  })
  integrations: Page<Integration>;
}
