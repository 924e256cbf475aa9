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

/** Resources that a part of an experience is linked with. */
@ApiSchema({
  name: 'ExperienceLinkedResources',
  description:
    'Resources that a part of an experience is linked with. Each list contains at most 1,000 resources; `totalCount` is the total number.',
})
export class ExperienceLinkedResources {
  @ObjectField(() => ExperienceViews, {
    column: false,
    required: true,
    description: 'Linked layouts, pages and components.',
  })
  experienceViews: Page<ExperienceView>;

  @ObjectField(() => ExperienceEndpoints, {
    column: false,
    required: true,
    description: 'Linked endpoints of the experience.',
  })
  experienceEndpoints: Page<ExperienceEndpoint>;

  @ObjectField(() => Flows, {
    column: false,
    required: true,
    description: 'Linked workflows in `develop`.',
  })
  flows: Page<Flow>;

  @ObjectField(() => FlowVersions, {
    column: false,
    required: true,
    description: 'Linked workflows in the version of the experience.',
  })
  flowVersions: Page<FlowVersion>;
}
