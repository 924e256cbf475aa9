import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Entity, ForeignKey, Index } from 'typeorm';
import {
  AliasField,
  ID_EXAMPLE,
  ID_PATTERN,
  IdField,
  IntegerField,
  JsonField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import type { ListSpec } from '../../../platform/lists/list-query.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { Application } from '../../applications/applications/application.resource.js';
import { DEVICE_TAGS } from '../../devices/devices/device-selection.js';
import type { TagFilter } from '../../devices/devices/device.schemas.js';
import { GROUP_COMPUTED, GROUP_QUERY_FIELDS, MOST_LINKS } from './experience-group.columns.js';
import { EXPERIENCE_TAGS, TAGS_TOLD, type ExperienceTags } from './experience-tags.js';

/** Ids of what groups are linked with. */
export const IDS: JsonSchema = {
  type: 'array',
  maxItems: MOST_LINKS,
  items: { type: 'string', pattern: ID_PATTERN, example: ID_EXAMPLE },
};

const TAG_EXAMPLE = [{ key: 'site', value: 'north' }];
const QUERY_EXAMPLE = '{"tags":{"site":"north"}}';

/** Users of an experience who may do the same, with what it is about. */
@ApiSchema({
  name: 'ExperienceGroup',
  description:
    'Users of an experience, with the endpoints that they may ask and the devices that these are about. Whoever is in a group is in all below it too.',
})
@Entity('experience_groups')
@Index('experience_groups_by_name', ['applicationId', 'name', 'id'])
@Index('experience_groups_by_id', ['applicationId', 'id'])
@Index('experience_groups_by_creation', ['applicationId', 'creationDate', 'id'])
@Index('experience_groups_by_change', ['applicationId', 'lastUpdated', 'id'])
@Index('experience_groups_below', ['parentId', 'id'], { where: 'parent_id IS NOT NULL' })
export class ExperienceGroup extends Resource {
  @AliasField('group')
  experienceGroupId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name.',
    example: 'Operators',
  })
  name: string;

  @StringField({
    maxLength: 32767,
    description: 'What it is for.',
    example: 'Those who work at the north gate',
  })
  description?: string;

  @ForeignKey(() => ExperienceGroup, { onDelete: 'SET NULL' })
  @IdField({ nullable: true, description: 'The group that it stands below; absent for none.' })
  parentId?: string | null;

  @JsonField(IDS, {
    column: false,
    required: true,
    description: 'The groups that it stands below, the nearest first.',
    example: [ID_EXAMPLE],
  })
  ancestorIds: string[];

  @JsonField(IDS, {
    column: false,
    required: true,
    description:
      'The users who are in it themselves, by id; the first 1,000. `experienceUsers.get` lists all.',
    example: [ID_EXAMPLE],
  })
  experienceUserIds: string[];

  @JsonField(IDS, {
    column: false,
    required: true,
    description: 'The endpoints that it lets its users ask, by id; the first 1,000.',
    example: [ID_EXAMPLE],
  })
  experienceEndpointIds: string[];

  @JsonField(EXPERIENCE_TAGS, { required: true, description: TAGS_TOLD, example: { region: 'north' } })
  groupTags: ExperienceTags;

  @JsonField(IDS, {
    column: false,
    required: true,
    description: 'Devices that it is about, with those of `deviceTags` and `deviceQueryJson`, by id.',
    example: [ID_EXAMPLE],
  })
  deviceIds: string[];

  @JsonField(DEVICE_TAGS, {
    required: true,
    description: 'The same, by tag: a device needs one of them, and a part that is absent matches any.',
    example: TAG_EXAMPLE,
  })
  deviceTags: readonly TagFilter[];

  @StringField({
    maxLength: 8192,
    nullable: true,
    description: 'The same, by an advanced query of devices, as JSON; absent for none.',
    example: QUERY_EXAMPLE,
  })
  deviceQueryJson?: string | null;

  @IntegerField({
    column: false,
    minimum: 0,
    description: 'How many devices it is about itself, where that was asked for.',
    example: 3,
  })
  directDeviceCount?: number;

  @IntegerField({
    column: false,
    minimum: 0,
    description:
      'How many devices it and all groups below it are about, each counted once, where that was asked for.',
    example: 12,
  })
  totalDeviceCount?: number;
}

export const EXPERIENCE_GROUPS = holding(ExperienceGroup, {
  table: 'experience_groups',
  title: 'Experience group',
  audited: 'ExperienceGroup',
  count: 'experienceGroupCount',
  limit: 'experiencegroup',
  computed: GROUP_COMPUTED,
});

class Given extends PickType(ExperienceGroup, ['name', 'description', 'deviceQueryJson']) {
  @IdField({
    column: false,
    nullable: true,
    description: 'The group that it stands below; `null` for none.',
  })
  parentId?: string | null;

  @JsonField(IDS, {
    column: false,
    description: 'The users who are in it themselves, all of them.',
    example: [ID_EXAMPLE],
  })
  experienceUserIds?: string[];

  @JsonField(IDS, {
    column: false,
    description: 'The endpoints that it lets its users ask, all of them.',
    example: [ID_EXAMPLE],
  })
  experienceEndpointIds?: string[];

  @JsonField(EXPERIENCE_TAGS, { column: false, description: TAGS_TOLD, example: { region: 'north' } })
  groupTags?: ExperienceTags;

  @JsonField(IDS, {
    column: false,
    description: 'Devices that it is about, with those of `deviceTags` and `deviceQueryJson`.',
    example: [ID_EXAMPLE],
  })
  deviceIds?: string[];

  @JsonField(DEVICE_TAGS, {
    column: false,
    description: 'The same, by tag: a device needs one of them, and a part that is absent matches any.',
    example: TAG_EXAMPLE,
  })
  deviceTags?: readonly TagFilter[];
}

@ApiSchema({ name: 'ExperienceGroupPost', description: 'A new experience group.' })
export class ExperienceGroupPost extends Given {}

@ApiSchema({
  name: 'ExperienceGroupPatch',
  description: 'Changes to an experience group; what is absent stays as it is, and lists are replaced whole.',
})
export class ExperienceGroupPatch extends PartialType(Given) {}

export const ExperienceGroups = pageOf(ExperienceGroup, 'ExperienceGroups', ['applicationId']);

/** The advanced query of lists of experience groups. */
export const EXPERIENCE_GROUP_QUERY: NonNullable<ListSpec['query']> = {
  name: 'AdvancedExperienceGroupQuery',
  example: { parentId: null, groupTags: { region: 'north' } },
  fields: GROUP_QUERY_FIELDS,
};
