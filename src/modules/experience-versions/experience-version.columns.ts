import type { Computed } from '../../platform/database/row-shape.js';

/** The version of every experience that is being developed; its id is that of the application. */
export const DEVELOP = 'develop';

/** SQL: nobody makes `develop`, so no count or limit is of it. */
export const MADE_VERSIONS = `r.version <> '${DEVELOP}'`;

/** What is shown of a version beside its own columns. Nothing points at one yet. */
export const VERSION_COMPUTED: readonly Computed[] = [
  { property: 'attachedDomains', kind: 'json', sql: `'[]'` },
  { property: 'attachedSlugs', kind: 'json', sql: `'[]'` },
];

/** The name of the version that `t` points at, for what points at one. */
export const POINTED_VERSION: Computed = {
  property: 'version',
  kind: 'text',
  sql: '(SELECT v.version FROM experience_versions v WHERE v.id = t.version_id)',
};
