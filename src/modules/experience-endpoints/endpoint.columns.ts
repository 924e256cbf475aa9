import type { Computed } from '../../platform/database/row-shape.js';

/** What a log calls an endpoint `t`. */
export const LOGGED_NAME = `upper(t.method) || ' ' || t.route`;

/** What is shown of an endpoint beside its own columns. */
export const ENDPOINT_COMPUTED: readonly Computed[] = [
  { property: 'experienceGroups', kind: 'json', sql: `'[]'` },
];
