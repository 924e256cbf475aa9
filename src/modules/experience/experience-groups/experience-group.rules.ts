import { ValidationError } from '../../../lib/errors/errors.js';
import { compileAdvancedQuery, parseAdvancedQuery } from '../../../platform/lists/advanced-query.js';
import type { ExperienceGroupPatch } from './experience-group.resource.js';
import { GROUP_DEVICE_QUERY_FIELDS } from '../../devices/devices/device-query.columns.js';
import { MOST_LEVELS } from './experience-group.columns.js';
import type { Line } from './experience-groups.repository.js';
import { checkTags } from './experience-tags.js';

const QUERY = 'experienceGroup.deviceQueryJson';

/** Throws 400 for what a schema cannot refuse in a new group, or in changes to one. */
export function checkGroup({ groupTags, deviceQueryJson }: Partial<ExperienceGroupPatch>): void {
  checkTags(groupTags, 'experienceGroup.groupTags');
  if (typeof deviceQueryJson === 'string')
    compileAdvancedQuery(parseAdvancedQuery(deviceQueryJson, QUERY), GROUP_DEVICE_QUERY_FIELDS, [], QUERY);
}

/** What a new group is unless its body says otherwise. */
export const EMPTY_GROUP = { groupTags: {}, deviceTags: [] };

/** Throws 400 where a group cannot stand below the line of groups that ends in its `parentId`. */
export function demandPlace(line: Line | undefined): void {
  if (!line) throw new ValidationError('experienceGroup.parentId is not a group of the application');
  if (line.hasItself) throw new ValidationError('experienceGroup.parentId is the group itself or below it');
  if (line.levels > MOST_LEVELS)
    throw new ValidationError(`experienceGroup.parentId nests groups more than ${MOST_LEVELS} deep`);
}
