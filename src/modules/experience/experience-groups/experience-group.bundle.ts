import { bundled } from '../../../platform/bundles/bundled.js';
import { EXPERIENCE_GROUPS, ExperienceGroupPost } from './experience-group.resource.js';
import { checkGroup, EMPTY_GROUP } from './experience-group.rules.js';

/** Groups in bundles, as a tree with their devices. The links to users and endpoints are part of those. */
export const BUNDLED_EXPERIENCE_GROUPS = bundled({
  holding: EXPERIENCE_GROUPS,
  resourceType: 'ExperienceGroupTree',
  placeholderWord: 'experienceGroup',
  place: { file: () => 'experience/groups' },
  post: ExperienceGroupPost,
  omitted: ['experienceUserIds', 'experienceEndpointIds'],
  parent: 'parentId',
  linked: {
    deviceIds: { table: 'experience_group_devices', own: 'group_id', other: 'device_id', others: 'devices' },
  },
  row: ({ experienceUserIds: _, experienceEndpointIds: __, deviceIds: ___, ...post }) => {
    checkGroup(post);
    return { ...EMPTY_GROUP, ...post };
  },
});
