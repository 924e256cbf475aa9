import { firstOf, type Computed } from '../../../platform/database/row-shape.js';
import { MOST_LINKS } from '../experience-groups/experience-group.columns.js';

/** SQL of the name of an endpoint `t` in audit logs. */
export const LOGGED_NAME = `upper(t.method) || ' ' || t.route`;

/** SQL of the groups linked to an endpoint by `links`, with rows `l`. */
const groupsOf = (links: string): Computed => ({
  property: 'experienceGroups',
  kind: 'json',
  sql: `coalesce((SELECT json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY g.name, g.id)
    FROM (SELECT l.group_id FROM ${links} ORDER BY l.group_id ${firstOf(MOST_LINKS)}) l
    CROSS JOIN LATERAL (SELECT e.id, e.name FROM experience_groups e WHERE e.id = l.group_id OFFSET 0) g), '[]')`,
});

/** Computed properties of an endpoint in `develop`. */
export const ENDPOINT_COMPUTED: readonly Computed[] = [
  groupsOf('experience_group_endpoints l WHERE l.endpoint_id = t.id'),
];

/** Computed properties of an endpoint in a version. */
export const FROZEN_ENDPOINT_COMPUTED: readonly Computed[] = [
  groupsOf('experience_endpoint_version_groups l WHERE l.version_id = t.version_id AND l.endpoint_id = t.id'),
];

/** SQL of the name of the version that contains the endpoint `t`. */
const KEPT_IN = '(SELECT v.version FROM experience_versions v WHERE v.id = t.version_id)';

/** Computed property of an endpoint in a version: the name of the version. */
export const KEPT_COMPUTED: readonly Computed[] = [{ property: 'version', kind: 'text', sql: KEPT_IN }];

/** Sort order by version name. */
export const KEPT_IN_ORDER = [`${KEPT_IN} COLLATE "C"`];

/** SQL of a unique key of an endpoint in a version. */
export const KEPT_KEY = 't.version_id || t.id';
