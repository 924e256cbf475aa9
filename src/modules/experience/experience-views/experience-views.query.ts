import { listQuery, QueryChoice, QueryText } from '../../../platform/lists/query-fields.js';
import { VIEW_TYPES, type ViewType } from './view.schemas.js';

/** Query parameters that select the version of the experience. */
export class ExperienceViewQuery {
  @QueryText({
    description: 'Name or ID of the version of the experience.',
    default: 'develop',
    maxLength: 255,
  })
  version: string;
}

export class ExperienceViewsQuery extends listQuery(
  {
    sort: ['name', 'id', 'creationDate', 'lastUpdated'],
    defaultSort: 'name',
    defaultDirection: 'asc',
    perPage: 100,
    filter: ['name'],
  },
  ExperienceViewQuery,
) {
  @QueryChoice(VIEW_TYPES, { required: false, description: 'Returns only views of this type.' })
  viewType?: ViewType;
}
