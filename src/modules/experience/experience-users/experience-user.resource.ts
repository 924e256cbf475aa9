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
import { EXPERIENCE_TAGS, TAGS_NOTE, type ExperienceTags } from '../experience-groups/experience-tags.js';
import { USER_COMPUTED, USER_QUERY_FIELDS } from './experience-user.columns.js';

const GROUPS: JsonSchema = {
  type: 'array',
  items: {
    title: 'GroupOfUser',
    type: 'object',
    description: 'A group that the user is a member of.',
    properties: {
      id: {
        type: 'string',
        pattern: ID_PATTERN,
        description: 'ID of the experience group.',
        example: ID_EXAMPLE,
      },
      name: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'Name of the experience group.',
        example: 'Operators',
      },
      parentId: {
        type: 'string',
        pattern: ID_PATTERN,
        nullable: true,
        description: 'ID of the parent group; `null` for root groups.',
        example: ID_EXAMPLE,
      },
    },
  },
};

/** A user of an application's experience, distinct from the users of the platform. */
@ApiSchema({
  name: 'ExperienceUser',
  description: 'A user of the experience of an application. Experience users are not users of the platform.',
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
  @IdField({ required: true, description: 'ID of the application that owns the experience.' })
  applicationId: string;

  @StringField({
    required: true,
    maxLength: 1024,
    format: 'email',
    description: 'Email address, unique in the application. Stored in lower case.',
    example: 'ada@example.com',
  })
  email: string;

  @StringField({ maxLength: 1024, description: 'First name of the user.', example: 'Ada' })
  firstName?: string;

  @StringField({ maxLength: 1024, description: 'Last name of the user.', example: 'Lovelace' })
  lastName?: string;

  @StringField({
    column: false,
    maxLength: 1024,
    format: 'uri',
    description: 'URL of the avatar of the user. Not supported yet.',
    example: 'https://example.com/ada.png',
  })
  avatarUrl?: string;

  @JsonField(EXPERIENCE_TAGS, { required: true, description: TAGS_NOTE, example: { site: 'north' } })
  userTags: ExperienceTags;

  @JsonField(GROUPS, {
    column: false,
    required: true,
    description: 'Groups of which the user is a direct member, at most the first 1,000 in order of ID.',
    example: [{ id: ID_EXAMPLE, name: 'Operators', parentId: null }],
  })
  experienceGroups: { id: string; name: string; parentId: string | null }[];

  @DateField({
    description: 'Time of the last sign-in, which workflows perform.',
  })
  lastLogin?: Date;

  @DateField({ required: true, description: 'Time the password was last set.' })
  passwordLastUpdated: Date;

  @DateField({ description: 'Tokens issued before this time are invalid.' })
  tokenCutoff?: Date;

  /** Password hash, argon2id. */
  @Column({ type: 'text' })
  passwordHash: string;
}

export const EXPERIENCE_USERS = holding(ExperienceUser, {
  table: 'experience_users',
  title: 'Experience user',
  audited: { type: 'ExperienceUser', name: 't.email' },
  count: 'experienceUserCount',
  limit: 'experienceuser',
  conflictMessages: { experience_users_email: 'experienceUser.email is not available' },
  computed: USER_COMPUTED,
  // Through a link table.
  after: ['experience_groups'],
});

class UserBody extends PickType(ExperienceUser, ['email', 'firstName', 'lastName', 'tokenCutoff']) {
  @StringField({
    column: false,
    secret: true,
    required: true,
    minLength: 8,
    maxLength: 2048,
    description: 'Password for signing in. Stored as a hash and never returned.',
    example: 'Correct-Horse-7',
  })
  password: string;

  @JsonField(EXPERIENCE_TAGS, { column: false, description: TAGS_NOTE, example: { site: 'north' } })
  userTags?: ExperienceTags;

  @JsonField(IDS, {
    column: false,
    description: 'IDs of all groups of which the user is a direct member.',
    example: [ID_EXAMPLE],
  })
  experienceGroupIds?: string[];
}

@ApiSchema({ name: 'ExperienceUserPost', description: 'Properties of a new experience user.' })
export class ExperienceUserPost extends UserBody {}

@ApiSchema({
  name: 'ExperienceUserPatch',
  description:
    'Changes to an experience user. Omitted properties keep their value. Arrays are replaced, not merged.',
})
export class ExperienceUserPatch extends PartialType(UserBody) {}

@ApiSchema({ name: 'ExperienceUsers', description: 'A page of experience users.' })
export class ExperienceUsers extends pageOf(ExperienceUser, 'ExperienceUsersPage', ['applicationId']) {
  @IdField({ column: false, description: 'Group that the request filtered by, if any.' })
  experienceGroupId?: string;
}

/** Advanced query of experience users in the query string. */
export const EXPERIENCE_USER_QUERY: NonNullable<ListSpec['query']> = {
  name: 'AdvancedExperienceUserQuery',
  example: { email: { $endsWith: '@example.com' }, userTags: { site: 'north' } },
  fields: USER_QUERY_FIELDS,
};
