import { QueryBoolean } from '../../../platform/lists/query-fields.js';

const kept = (what: string) => ({ description: `Whether ${what} stay.`, default: false });

/** What of an experience stays, and what goes too. */
export class ExperienceDeleteQuery {
  @QueryBoolean(kept('its users'))
  keepUsers: boolean;

  @QueryBoolean(kept('its groups'))
  keepGroups: boolean;

  @QueryBoolean(kept('its slugs'))
  keepSlugs: boolean;

  @QueryBoolean(kept('its domains'))
  keepDomains: boolean;

  @QueryBoolean(kept('its views, as they are being developed,'))
  keepViews: boolean;

  @QueryBoolean(kept('its endpoints, as they are being developed,'))
  keepEndpoints: boolean;

  @QueryBoolean({
    description: 'Whether all versions but `develop` go, with what they keep.',
    default: false,
  })
  removeVersions: boolean;

  @QueryBoolean({
    description: 'Whether its workflows go, as they are being developed.',
    default: false,
  })
  removeWorkflows: boolean;
}
