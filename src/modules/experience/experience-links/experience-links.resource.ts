import { ApiSchema } from '@nestjs/swagger';
import { ObjectField } from '../../../platform/fields/fields.js';
import type { Page } from '../../../platform/lists/page.js';
import {
  ExperienceEndpoints,
  type ExperienceEndpoint,
} from '../experience-endpoints/experience-endpoint.resource.js';
import { ExperienceViews, type ExperienceView } from '../experience-views/experience-view.resource.js';
import { FlowVersions, type FlowVersion } from '../../flows/flows/flow-version.resource.js';
import { Flows, type Flow } from '../../flows/flows/flow.resource.js';

/** What a part of an experience is linked with. */
@ApiSchema({
  name: 'ExperienceLinkedResources',
  description: 'What a part of an experience is linked with: of each kind 1,000 at most, of `totalCount`.',
})
export class ExperienceLinkedResources {
  @ObjectField(() => ExperienceViews, { column: false, required: true, description: 'Views.' })
  experienceViews: Page<ExperienceView>;

  @ObjectField(() => ExperienceEndpoints, { column: false, required: true, description: 'Endpoints.' })
  experienceEndpoints: Page<ExperienceEndpoint>;

  @ObjectField(() => Flows, {
    column: false,
    required: true,
    description: 'Workflows as they are being developed.',
  })
  flows: Page<Flow>;

  @ObjectField(() => FlowVersions, {
    column: false,
    required: true,
    description: 'Workflows as the version of the experience keeps them.',
  })
  flowVersions: Page<FlowVersion>;
}
