import type { Bundled } from '../../../platform/bundles/bundled.js';
import type { Statement } from '../../../platform/database/database.js';
import { columnName } from '../../../platform/database/naming.js';

/** SQL condition for the exported rows of a family; `$1` is the application ID. */
const condition = ({ holding: { deletedAt }, where }: Bundled, row = 't'): string =>
  [
    `${row}.application_id = $1`,
    ...(deletedAt ? [`${row}.${columnName(deletedAt)} IS NULL`] : []),
    ...(where ? [where] : []),
  ].join(' AND ');

/** Sorts by name in byte order, which is the same on every installation; IDs are not. */
const orderBy = ({ nameProperty, order = [] }: Bundled): string =>
  `ORDER BY ${[...order, `t.${columnName(nameProperty)} COLLATE "C"`, 't.id'].join(', ')}`;

/** SQL expression that identifies a row. */
const keyOf = ({ key = 't.id' }: Bundled): string => key;

/** Statements that read the resources of an application in bundle order. */
export const read = {
  /** Selects the inputs of placeholders: ID, name, and texts that are regenerated on import. */
  names(bundled: Bundled, applicationId: string): Statement {
    const columns = [bundled.nameProperty, ...Object.keys(bundled.generated ?? {})].map(
      (p) => `t.${columnName(p)}`,
    );
    return of(bundled, applicationId, `t.id, ${columns.join(', ')}`);
  },

  /** Selects the resources; the last two columns are the key and the depth in the tree. */
  resources: (bundled: Bundled, applicationId: string): Statement =>
    bundled.parent === undefined
      ? of(bundled, applicationId, `${bundled.shape.columns}, ${keyOf(bundled)}, 0`)
      : tree(bundled, bundled.parent, applicationId),

  /** Selects the sources of content files by resource key. */
  contents(bundled: Bundled, applicationId: string): Statement {
    const kind = bundled.content!.kind;
    const columns = typeof kind === 'object' ? `t.${columnName(kind.text)}` : CONTENT[kind];
    return of(bundled, applicationId, `${keyOf(bundled)}, ${columns}`);
  },
};

const CONTENT = { rows: 't.columns, to_json(t.column_numbers)', blob: 't.content_key, t.file_size' };

const of = (bundled: Bundled, applicationId: string, columns: string): Statement => ({
  text: `SELECT ${columns} FROM ${bundled.holding.table} t WHERE ${condition(bundled)} ${orderBy(bundled)}`,
  values: [applicationId],
});

/** Selects each parent before its children. A resource whose parent is not exported becomes a root. */
function tree(bundled: Bundled, parent: string, applicationId: string): Statement {
  const { table } = bundled.holding;
  const above = `t.${columnName(parent)}`;
  const step = `t.${columnName(bundled.nameProperty)}, t.id`;
  const text = `WITH RECURSIVE tree (id, level, path) AS (
      SELECT t.id, 0, ARRAY[${step}] FROM ${table} t WHERE ${condition(bundled)}
        AND NOT EXISTS (SELECT FROM ${table} p WHERE p.id = ${above} AND ${condition(bundled, 'p')})
      UNION ALL SELECT c.id, b.level + 1, b.path || c.step FROM tree b CROSS JOIN LATERAL (
        SELECT t.id, ARRAY[${step}] AS step FROM ${table} t WHERE ${above} = b.id AND ${condition(bundled)} OFFSET 0) c)
    SELECT ${bundled.shape.columns}, t.id, b.level FROM tree b CROSS JOIN LATERAL (
      SELECT * FROM ${table} r WHERE r.id = b.id OFFSET 0) t
    ORDER BY b.path COLLATE "C"`;
  return { text, values: [applicationId] };
}
