import type { Computed } from '../../platform/database/row-shape.js';

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
