import { listQuery, QueryBoolean, QueryText } from '../../../platform/lists/query-fields.js';
import { EXPERIENCE_USER_QUERY } from './experience-user.resource.js';

const OVERRIDDEN = 'An advanced query takes its place.';

export class ExperienceUsersQuery extends listQuery({
  sort: ['firstName', 'lastName', 'email', 'id', 'creationDate', 'lastLogin', 'lastUpdated'],
  defaultSort: 'email',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['firstName', 'lastName', 'email'],
  query: EXPERIENCE_USER_QUERY,
}) {
  @QueryText({
    maxLength: 24,
    description: `The id of a group that the users are in themselves, \`any\` for those in some group, or \`none\` for those in none. ${OVERRIDDEN}`,
    example: '575ec8687ae143cd83dc4a97',
  })
  experienceGroupId?: string;

  @QueryBoolean({
    description: `Whether those of the groups above \`experienceGroupId\` are among them. ${OVERRIDDEN}`,
    default: false,
  })
  includeAncestorGroups: boolean;
}
