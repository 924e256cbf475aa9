import { QueryBoolean } from '../../../platform/lists/query-fields.js';

const kept = (what: string) => ({ description: `Whether to keep ${what}.`, default: false });

/** Query parameters that select the parts of an experience to keep or delete. */
export class ExperienceDeleteQuery {
  @QueryBoolean(kept('its users'))
  keepUsers: boolean;

  @QueryBoolean(kept('its groups'))
  keepGroups: boolean;

  @QueryBoolean(kept('its slugs'))
  keepSlugs: boolean;

  @QueryBoolean(kept('its domains'))
  keepDomains: boolean;

  @QueryBoolean(kept('its views in `develop`'))
  keepViews: boolean;

  @QueryBoolean(kept('its endpoints in `develop`'))
  keepEndpoints: boolean;

  @QueryBoolean({
    description: 'Whether to delete all versions except `develop`, with their contents.',
    default: false,
  })
  removeVersions: boolean;

  @QueryBoolean({
    description: 'Whether to delete its workflows in `develop`.',
    default: false,
  })
  removeWorkflows: boolean;
}
