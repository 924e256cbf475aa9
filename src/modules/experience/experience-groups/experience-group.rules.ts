import { ValidationError } from '../../../lib/errors/errors.js';
import { compileAdvancedQuery, parseAdvancedQuery } from '../../../platform/lists/advanced-query.js';
import type { ExperienceGroupPatch } from './experience-group.resource.js';
import { GROUP_DEVICE_QUERY_FIELDS } from '../../devices/devices/device-query.columns.js';
import { MAX_LEVELS } from './experience-group.columns.js';
import type { AncestorLine } from './experience-groups.repository.js';
import { checkTags } from './experience-tags.js';

const QUERY = 'experienceGroup.deviceQueryJson';

/** Throws 400 for invalid values that the schema cannot reject, in a new group or in changes. */
export function checkGroup({ groupTags, deviceQueryJson }: Partial<ExperienceGroupPatch>): void {
  checkTags(groupTags, 'experienceGroup.groupTags');
  if (typeof deviceQueryJson === 'string')
    compileAdvancedQuery(parseAdvancedQuery(deviceQueryJson, QUERY), GROUP_DEVICE_QUERY_FIELDS, [], QUERY);
}

/** Default values of a new group. */
export const EMPTY_GROUP = { groupTags: {}, deviceTags: [] };

/** Throws 400 if a group cannot be placed below the line of ancestors ending in its `parentId`. */
export function assertPosition(line: AncestorLine | undefined): void {
  if (!line) throw new ValidationError('experienceGroup.parentId is not a group of the application');
  if (line.hasItself)
    throw new ValidationError('experienceGroup.parentId is the group itself or one of its descendants');
  if (line.levels > MAX_LEVELS)
    throw new ValidationError(
      `experienceGroup.parentId would nest groups more than ${MAX_LEVELS} levels deep`,
    );
}
