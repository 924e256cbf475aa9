import { firstRow, type Computed } from '../../../platform/database/row-shape.js';
import { MAX_LINKS } from '../experience-groups/experience-group.columns.js';

/** SQL of the name of an endpoint `t` in audit logs. */
export const LOGGED_NAME = `upper(t.method) || ' ' || t.route`;

/** SQL of the groups linked to an endpoint by `links`, with rows `l`. */
const groupsOf = (links: string): Computed => ({
  property: 'experienceGroups',
  kind: 'json',
  sql: `coalesce((SELECT json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY g.name, g.id)
    FROM (SELECT l.group_id FROM ${links} ORDER BY l.group_id ${firstRow(MAX_LINKS)}) l
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
const VERSION_NAME = '(SELECT v.version FROM experience_versions v WHERE v.id = t.version_id)';

/** Computed property of an endpoint in a version: the name of the version. */
export const VERSION_COMPUTED: readonly Computed[] = [
  { property: 'version', kind: 'text', sql: VERSION_NAME },
];

/** Sort order by version name. */
export const VERSION_ORDER = [`${VERSION_NAME} COLLATE "C"`];

/** SQL of a unique key of an endpoint in a version. */
export const VERSION_KEY = 't.version_id || t.id';
