import { firstOf, type Computed } from '../../../platform/database/row-shape.js';

/** The version of every experience that is being developed; its id is that of the application. */
export const DEVELOP = 'develop';

/** The same of what it has, for bundles, which say of each resource of an experience what version it is of. */
export const DEVELOPED_VERSION: Computed = { property: 'version', kind: 'text', sql: `'${DEVELOP}'` };

/** SQL: nobody makes `develop`, so no count or limit is of it. */
export const MADE_VERSIONS = `r.version <> '${DEVELOP}'`;

/** How many domains or slugs of a version are shown. */
const MOST_ATTACHED = 1000;

/** What points at the version `t`, as JSON: rows of `table`, by the column that names them. */
const attachedSql = (table: string, property: string, column: string): string => `(
  SELECT coalesce(json_agg(json_build_object('id', p.id, '${property}', p.${column}) ORDER BY p.${column}), '[]')
  FROM (SELECT * FROM ${table} WHERE version_id = t.id ORDER BY ${column} ${firstOf(MOST_ATTACHED)}) p)`;

/** What is shown of a version beside its own columns. */
export const VERSION_COMPUTED: readonly Computed[] = [
  {
    property: 'attachedDomains',
    kind: 'json',
    sql: attachedSql('experience_domains', 'domainName', 'domain_name'),
  },
  { property: 'attachedSlugs', kind: 'json', sql: attachedSql('experience_slugs', 'slug', 'slug') },
];

/** The name of the version that `t` points at, for what points at one. */
export const POINTED_VERSION: Computed = {
  property: 'version',
  kind: 'text',
  sql: '(SELECT v.version FROM experience_versions v WHERE v.id = t.version_id)',
};
