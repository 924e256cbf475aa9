import type { Bundled } from '../../../platform/bundles/bundled.js';
import type { Statement } from '../../../platform/database/database.js';
import { columnName } from '../../../platform/database/naming.js';

/** Which rows of a family are exported: a condition on a row of `$1`, an application. */
const condition = ({ holding: { deletedAt }, where }: Bundled, row = 't'): string =>
  [
    `${row}.application_id = $1`,
    ...(deletedAt ? [`${row}.${columnName(deletedAt)} IS NULL`] : []),
    ...(where ? [where] : []),
  ].join(' AND ');

/** By their names in order of their bytes: the same wherever they are, as ids are not. */
const inOrder = ({ named, order = [] }: Bundled): string =>
  `ORDER BY ${[...order, `t.${columnName(named)} COLLATE "C"`, 't.id'].join(', ')}`;

/** What tells a row from others. */
const keyOf = ({ key = 't.id' }: Bundled): string => key;

/** Statements that read what a bundle has of an application, each from the first of its resources to the last. */
export const read = {
  /** What placeholders are made of: its id, its name, and its texts that are made anew. */
  names(bundled: Bundled, applicationId: string): Statement {
    const columns = [bundled.named, ...Object.keys(bundled.made ?? {})].map((p) => `t.${columnName(p)}`);
    return of(bundled, applicationId, `t.id, ${columns.join(', ')}`);
  },

  /** The resources, each with its key and how deep it stands at the end. */
  resources: (bundled: Bundled, applicationId: string): Statement =>
    bundled.parent === undefined
      ? of(bundled, applicationId, `${bundled.shape.columns}, ${keyOf(bundled)}, 0`)
      : tree(bundled, bundled.parent, applicationId),

  /** What the contents beside them are made of, by their keys. */
  contents(bundled: Bundled, applicationId: string): Statement {
    const kind = bundled.content!.kind;
    const columns = typeof kind === 'object' ? `t.${columnName(kind.text)}` : CONTENT[kind];
    return of(bundled, applicationId, `${keyOf(bundled)}, ${columns}`);
  },
};

const CONTENT = { rows: 't.columns, to_json(t.column_numbers)', blob: 't.content_key, t.file_size' };

const of = (bundled: Bundled, applicationId: string, columns: string): Statement => ({
  text: `SELECT ${columns} FROM ${bundled.holding.table} t WHERE ${condition(bundled)} ${inOrder(bundled)}`,
  values: [applicationId],
});

/** Each resource before those that stand below it; where what it names is not exported, it stands alone. */
function tree(bundled: Bundled, parent: string, applicationId: string): Statement {
  const { table } = bundled.holding;
  const above = `t.${columnName(parent)}`;
  const step = `t.${columnName(bundled.named)}, t.id`;
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
