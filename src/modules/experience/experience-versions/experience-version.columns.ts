import { firstRow, type Computed } from '../../../platform/database/row-shape.js';

/** Name of the version under development of every experience. Its ID is that of the application. */
export const DEVELOP = 'develop';

/** Version of resources in `develop`, for bundles, which contain the version of each resource of an experience. */
export const DEVELOPED_VERSION: Computed = { property: 'version', kind: 'text', sql: `'${DEVELOP}'` };

/** SQL condition that excludes `develop`. It is created automatically and not part of counts and limits. */
export const CREATED_VERSIONS = `r.version <> '${DEVELOP}'`;

/** Maximum number of domains or slugs returned with a version. */
const MAX_ATTACHED = 1000;

/**
 * SQL of the resources that point to the version `t`, as JSON: rows of `table` with the column that contains their
 * name.
 */
const attachedSql = (table: string, property: string, column: string): string => `(
  SELECT coalesce(json_agg(json_build_object('id', p.id, '${property}', p.${column}) ORDER BY p.${column}), '[]')
  FROM (SELECT * FROM ${table} WHERE version_id = t.id ORDER BY ${column} ${firstRow(MAX_ATTACHED)}) p)`;

/** Computed properties of a version. */
export const VERSION_COMPUTED: readonly Computed[] = [
  {
    property: 'attachedDomains',
    kind: 'json',
    sql: attachedSql('experience_domains', 'domainName', 'domain_name'),
  },
  { property: 'attachedSlugs', kind: 'json', sql: attachedSql('experience_slugs', 'slug', 'slug') },
];

/** Computed property of resources that point to a version: the name of that version. */
export const REFERENCED_VERSION: Computed = {
  property: 'version',
  kind: 'text',
  sql: '(SELECT v.version FROM experience_versions v WHERE v.id = t.version_id)',
};
