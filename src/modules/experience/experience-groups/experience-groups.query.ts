import { listQuery, QueryBoolean } from '../../../platform/lists/query-fields.js';
import { EXPERIENCE_GROUP_QUERY } from './experience-group.resource.js';

export class ExperienceGroupsQuery extends listQuery({
  sort: ['name', 'id', 'creationDate', 'lastUpdated'],
  defaultSort: 'name',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['name'],
  query: EXPERIENCE_GROUP_QUERY,
}) {}

export class ExperienceGroupQuery {
  @QueryBoolean({ description: 'Whether to include `directDeviceCount` in the response.', default: false })
  includeDirectDeviceCount: boolean;

  @QueryBoolean({ description: 'Whether to include `totalDeviceCount` in the response.', default: false })
  includeTotalDeviceCount: boolean;
}
