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
import { GROUP_COMPUTED, GROUP_QUERY_FIELDS, MAX_LINKS } from './experience-group.columns.js';
import { EXPERIENCE_TAGS, TAGS_NOTE, type ExperienceTags } from './experience-tags.js';

/** IDs of resources linked to a group. */
export const IDS: JsonSchema = {
  type: 'array',
  maxItems: MAX_LINKS,
  items: { type: 'string', pattern: ID_PATTERN, example: ID_EXAMPLE },
};

const TAG_EXAMPLE = [{ key: 'site', value: 'north' }];
const QUERY_EXAMPLE = '{"tags":{"site":"north"}}';

/** A group of users of an experience with the same permissions, and its devices. */
@ApiSchema({
  name: 'ExperienceGroup',
  description:
    'Users of an experience with the endpoints that they can access and the devices concerned. Members of a group are also members of all its descendants.',
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
  @IdField({ required: true, description: 'ID of the application that owns the experience group.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the experience group.',
    example: 'Operators',
  })
  name: string;

  @StringField({
    maxLength: 32767,
    description: 'Free-text description of the experience group.',
    example: 'Those who work at the north gate',
  })
  description?: string;

  @ForeignKey(() => ExperienceGroup, { onDelete: 'SET NULL' })
  @IdField({ nullable: true, description: 'ID of the parent group; absent for root groups.' })
  parentId?: string | null;

  @JsonField(IDS, {
    column: false,
    required: true,
    description: 'IDs of the ancestors, nearest first.',
    example: [ID_EXAMPLE],
  })
  ancestorIds: string[];

  @JsonField(IDS, {
    column: false,
    required: true,
    description:
      'IDs of the direct members, at most the first 1,000 in order of ID. `experienceUsers.get` lists all.',
    example: [ID_EXAMPLE],
  })
  experienceUserIds: string[];

  @JsonField(IDS, {
    column: false,
    required: true,
    description: 'IDs of the endpoints that members can access, at most the first 1,000 in order of ID.',
    example: [ID_EXAMPLE],
  })
  experienceEndpointIds: string[];

  @JsonField(EXPERIENCE_TAGS, { required: true, description: TAGS_NOTE, example: { region: 'north' } })
  groupTags: ExperienceTags;

  @JsonField(IDS, {
    column: false,
    required: true,
    description:
      'IDs of devices in the group, in order. The group also contains devices that match `deviceTags` or `deviceQueryJson`.',
    example: [ID_EXAMPLE],
  })
  deviceIds: string[];

  @JsonField(DEVICE_TAGS, {
    required: true,
    description:
      'Tags of devices in the group. A device must match one of them; an absent key or value matches any.',
    example: TAG_EXAMPLE,
  })
  deviceTags: readonly TagFilter[];

  @StringField({
    maxLength: 8192,
    nullable: true,
    description: 'Advanced query, as JSON, of devices in the group; absent for none.',
    example: QUERY_EXAMPLE,
  })
  deviceQueryJson?: string | null;

  @IntegerField({
    column: false,
    minimum: 0,
    description: 'Number of devices in the group itself. Present if requested.',
    example: 3,
  })
  directDeviceCount?: number;

  @IntegerField({
    column: false,
    minimum: 0,
    description:
      'Number of devices in the group and its descendants, each counted once. Present if requested.',
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
  // Through a link table.
  after: ['devices'],
});

class GroupBody extends PickType(ExperienceGroup, ['name', 'description', 'deviceQueryJson']) {
  @IdField({
    column: false,
    nullable: true,
    description: 'ID of the parent group; `null` for none.',
  })
  parentId?: string | null;

  @JsonField(IDS, {
    column: false,
    description: 'IDs of all direct members of the group.',
    example: [ID_EXAMPLE],
  })
  experienceUserIds?: string[];

  @JsonField(IDS, {
    column: false,
    description: 'IDs of all endpoints that members can access.',
    example: [ID_EXAMPLE],
  })
  experienceEndpointIds?: string[];

  @JsonField(EXPERIENCE_TAGS, { column: false, description: TAGS_NOTE, example: { region: 'north' } })
  groupTags?: ExperienceTags;

  @JsonField(IDS, {
    column: false,
    description:
      'IDs of devices in the group. The group also contains devices that match `deviceTags` or `deviceQueryJson`.',
    example: [ID_EXAMPLE],
  })
  deviceIds?: string[];

  @JsonField(DEVICE_TAGS, {
    column: false,
    description:
      'Tags of devices in the group. A device must match one of them; an absent key or value matches any.',
    example: TAG_EXAMPLE,
  })
  deviceTags?: readonly TagFilter[];
}

@ApiSchema({ name: 'ExperienceGroupPost', description: 'Properties of a new experience group.' })
export class ExperienceGroupPost extends GroupBody {}

@ApiSchema({
  name: 'ExperienceGroupPatch',
  description:
    'Changes to an experience group. Omitted properties keep their value. Arrays are replaced, not merged.',
})
export class ExperienceGroupPatch extends PartialType(GroupBody) {}

export const ExperienceGroups = pageOf(ExperienceGroup, 'ExperienceGroups', ['applicationId']);

/** Advanced query of experience groups in the query string. */
export const EXPERIENCE_GROUP_QUERY: NonNullable<ListSpec['query']> = {
  name: 'AdvancedExperienceGroupQuery',
  example: { parentId: null, groupTags: { region: 'north' } },
  fields: GROUP_QUERY_FIELDS,
};
