import type { Computed } from '../../../platform/database/row-shape.js';

/** SQL of the name of the layout of `t`, a view among others: rows `l`. */
const layoutName = (views: string): Computed => ({
  property: 'layoutName',
  kind: 'text',
  sql: `(SELECT l.name FROM ${views} AND l.id = t.layout_id)`,
});

/** What is shown of a view, as it is being developed, beside its own columns. */
export const VIEW_COMPUTED: readonly Computed[] = [
  layoutName('experience_views l WHERE l.application_id = t.application_id'),
];

/** The same of a view that a version keeps. */
export const FROZEN_VIEW_COMPUTED: readonly Computed[] = [
  layoutName('experience_view_versions l WHERE l.version_id = t.version_id'),
];

/** SQL of the name of the version that keeps `t`, a view. */
const KEPT_IN = '(SELECT v.version FROM experience_versions v WHERE v.id = t.version_id)';

/** Of a view that a version keeps, the version. */
export const KEPT_COMPUTED: readonly Computed[] = [{ property: 'version', kind: 'text', sql: KEPT_IN }];

/** By their types, layouts before the pages that stand in them. */
export const VIEWS_IN_ORDER = ['t.view_type COLLATE "C"'];

/** The same by the versions that keep them. */
export const KEPT_IN_ORDER = [`${KEPT_IN} COLLATE "C"`, ...VIEWS_IN_ORDER];

/** SQL of what tells a view that a version keeps from the same view of another. */
export const KEPT_KEY = 't.version_id || t.id';
