import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import {
  AliasField,
  DateField,
  ID_EXAMPLE,
  ID_PATTERN,
  IdField,
  JsonField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import type { ListSpec } from '../../../platform/lists/list-query.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { Application } from '../../applications/applications/application.resource.js';
import { IDS } from '../experience-groups/experience-group.resource.js';
import { EXPERIENCE_TAGS, TAGS_TOLD, type ExperienceTags } from '../experience-groups/experience-tags.js';
import { USER_COMPUTED, USER_QUERY_FIELDS } from './experience-user.columns.js';

const GROUPS: JsonSchema = {
  type: 'array',
  items: {
    title: 'GroupOfUser',
    type: 'object',
    description: 'A group that a user is in.',
    properties: {
      id: { type: 'string', pattern: ID_PATTERN, description: 'Its id.', example: ID_EXAMPLE },
      name: { type: 'string', minLength: 1, maxLength: 255, description: 'Its name.', example: 'Operators' },
      parentId: {
        type: 'string',
        pattern: ID_PATTERN,
        nullable: true,
        description: 'The group that it stands below; `null` for none.',
        example: ID_EXAMPLE,
      },
    },
  },
};

/** Who uses the experience of an application: no user of the platform. */
@ApiSchema({
  name: 'ExperienceUser',
  description: 'Who uses the experience of an application. Such users are no users of the platform.',
})
@Entity('experience_users')
@Index('experience_users_email', ['applicationId', 'email'], { unique: true })
@Index('experience_users_by_email', ['applicationId', 'email', 'id'])
@Index('experience_users_by_id', ['applicationId', 'id'])
@Index('experience_users_by_creation', ['applicationId', 'creationDate', 'id'])
@Index('experience_users_by_change', ['applicationId', 'lastUpdated', 'id'])
@Index('experience_users_by_first_name', ['applicationId', 'firstName', 'id'])
@Index('experience_users_by_last_name', ['applicationId', 'lastName', 'id'])
@Index('experience_users_by_login', ['applicationId', 'lastLogin', 'id'])
export class ExperienceUser extends Resource {
  @AliasField('user')
  experienceUserId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'The application that they belong to.' })
  applicationId: string;

  @StringField({
    required: true,
    maxLength: 1024,
    format: 'email',
    description: 'Their address, unique in the application; kept in lower case.',
    example: 'ada@example.com',
  })
  email: string;

  @StringField({ maxLength: 1024, description: 'Their first name.', example: 'Ada' })
  firstName?: string;

  @StringField({ maxLength: 1024, description: 'Their last name.', example: 'Lovelace' })
  lastName?: string;

  @StringField({
    column: false,
    maxLength: 1024,
    format: 'uri',
    description: 'Their picture. None is kept yet.',
    example: 'https://example.com/ada.png',
  })
  avatarUrl?: string;

  @JsonField(EXPERIENCE_TAGS, { required: true, description: TAGS_TOLD, example: { site: 'north' } })
  userTags: ExperienceTags;

  @JsonField(GROUPS, {
    column: false,
    required: true,
    description: 'The groups that they are in themselves, by id; the first 1,000.',
    example: [{ id: ID_EXAMPLE, name: 'Operators', parentId: null }],
  })
  experienceGroups: { id: string; name: string; parentId: string | null }[];

  @DateField({ description: 'When they last signed in. Signing in is not served yet.' })
  lastLogin?: Date;

  @DateField({ required: true, description: 'When their password was last set.' })
  passwordLastUpdated: Date;

  @DateField({ description: 'Their tokens from before this time are void.' })
  tokenCutoff?: Date;

  /** argon2id. */
  @Column({ type: 'text' })
  passwordHash: string;
}

export const EXPERIENCE_USERS = holding(ExperienceUser, {
  table: 'experience_users',
  title: 'Experience user',
  audited: { type: 'ExperienceUser', name: 't.email' },
  count: 'experienceUserCount',
  limit: 'experienceuser',
  taken: { experience_users_email: 'experienceUser.email is not available' },
  computed: USER_COMPUTED,
});

class Given extends PickType(ExperienceUser, ['email', 'firstName', 'lastName', 'tokenCutoff']) {
  @StringField({
    column: false,
    secret: true,
    required: true,
    minLength: 8,
    maxLength: 2048,
    description: 'What they sign in with. It is kept as a hash, and no answer shows it.',
    example: 'Correct-Horse-7',
  })
  password: string;

  @JsonField(EXPERIENCE_TAGS, { column: false, description: TAGS_TOLD, example: { site: 'north' } })
  userTags?: ExperienceTags;

  @JsonField(IDS, {
    column: false,
    description: 'The groups that they are in, all of them.',
    example: [ID_EXAMPLE],
  })
  experienceGroupIds?: string[];
}

@ApiSchema({ name: 'ExperienceUserPost', description: 'A new experience user.' })
export class ExperienceUserPost extends Given {}

@ApiSchema({
  name: 'ExperienceUserPatch',
  description: 'Changes to an experience user; what is absent stays as it is, and lists are replaced whole.',
})
export class ExperienceUserPatch extends PartialType(Given) {}

@ApiSchema({ name: 'ExperienceUsers', description: 'A page of experience users.' })
export class ExperienceUsers extends pageOf(ExperienceUser, 'ExperienceUsersPage', ['applicationId']) {
  @IdField({ column: false, description: 'The group, where one was asked for.' })
  experienceGroupId?: string;
}

/** The advanced query of lists of experience users. */
export const EXPERIENCE_USER_QUERY: NonNullable<ListSpec['query']> = {
  name: 'AdvancedExperienceUserQuery',
  example: { email: { $endsWith: '@example.com' }, userTags: { site: 'north' } },
  fields: USER_QUERY_FIELDS,
};
