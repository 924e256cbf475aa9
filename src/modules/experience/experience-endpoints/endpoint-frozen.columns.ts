import { frozenRows, type FrozenRows } from '../../../platform/holdings/frozen.js';
import {
  EXPERIENCE_ENDPOINTS,
  EXPERIENCE_ENDPOINT_VERSIONS,
  ExperienceEndpoint,
} from './experience-endpoint.resource.js';

/** Endpoints that versions of an experience contain. */
export const FROZEN_ENDPOINTS = frozenRows(
  ExperienceEndpoint,
  EXPERIENCE_ENDPOINTS.table,
  EXPERIENCE_ENDPOINT_VERSIONS.table,
);

/** Waits for a group that is being deleted, so that its links are deleted as well. */
const JOIN_GROUP = 'JOIN experience_groups g ON g.id = l.group_id';

/** Groups whose users can access the endpoints. Restored after the endpoints. */
export const FROZEN_ENDPOINT_GROUPS: FrozenRows = {
  name: 'experience_endpoint_version_groups',
  table: EXPERIENCE_ENDPOINTS.table,
  freeze: `INSERT INTO experience_endpoint_version_groups (version_id, endpoint_id, group_id)
    SELECT e.id, t.id, l.group_id FROM e JOIN experience_endpoints t ON t.application_id = e.application_id
      JOIN experience_group_endpoints l ON l.endpoint_id = t.id ${JOIN_GROUP} FOR KEY SHARE OF g`,
  thaw: [
    `INSERT INTO experience_group_endpoints (group_id, endpoint_id)
    SELECT l.group_id, l.endpoint_id FROM e JOIN experience_endpoint_version_groups l ON l.version_id = e.id ${JOIN_GROUP}
    FOR KEY SHARE OF g`,
  ],
};
