import type { Computed } from '../../../platform/database/row-shape.js';

/** SQL of the name of the layout of `t`, a view among `views`, with rows `l`. */
const layoutName = (views: string): Computed => ({
  property: 'layoutName',
  kind: 'text',
  sql: `(SELECT l.name FROM ${views} AND l.id = t.layout_id)`,
});

/** Computed properties of a view in `develop`. */
export const VIEW_COMPUTED: readonly Computed[] = [
  layoutName('experience_views l WHERE l.application_id = t.application_id'),
];

/** Computed properties of a view in a version. */
export const FROZEN_VIEW_COMPUTED: readonly Computed[] = [
  layoutName('experience_view_versions l WHERE l.version_id = t.version_id'),
];

/** SQL of the name of the version that contains the view `t`. */
const VERSION_NAME = '(SELECT v.version FROM experience_versions v WHERE v.id = t.version_id)';

/** Computed property of a view in a version: the name of the version. */
export const VERSION_COMPUTED: readonly Computed[] = [
  { property: 'version', kind: 'text', sql: VERSION_NAME },
];

/** Sort order by type: layouts come before the pages that use them. */
export const VIEWS_IN_ORDER = ['t.view_type COLLATE "C"'];

/** Sort order by version name, then type. */
export const VERSION_ORDER = [`${VERSION_NAME} COLLATE "C"`, ...VIEWS_IN_ORDER];

/** SQL of a unique key of a view in a version. */
export const VERSION_KEY = 't.version_id || t.id';
