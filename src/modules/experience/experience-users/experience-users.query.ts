import { listQuery, QueryBoolean, QueryText } from '../../../platform/lists/query-fields.js';
import { EXPERIENCE_USER_QUERY } from './experience-user.resource.js';

const OVERRIDDEN = 'Overridden by an advanced query.';

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
    description: `ID of a group whose direct members are returned, \`any\` for members of any group, or \`none\` for users without groups. ${OVERRIDDEN}`,
    example: '575ec8687ae143cd83dc4a97',
  })
  experienceGroupId?: string;

  @QueryBoolean({
    description: `Whether to include members of the ancestors of \`experienceGroupId\`. ${OVERRIDDEN}`,
    default: false,
  })
  includeAncestorGroups: boolean;
}
