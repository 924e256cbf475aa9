/** Rows of a table that are counted per holder. */
export interface CountedRows {
  table: string;
  /** Column that identifies the holder of a row. */
  holder: string;
  /** Whether the holder may be an application, whose counts are included in those of its owner. */
  ofApplications?: boolean;
  /** SQL over a row `r`: the kinds of count to which it adds, with the amount for each. */
  amounts: readonly { kind: string; amount: string }[];
  /** SQL condition on `r` for the rows that count; all rows if absent. */
  where?: string;
  /**
   * Row that `where` also depends on, if any. Inserts and deletes of counted rows lock it until they commit, so that a
   * change of it and a change of the rows are never both counted, or both missed.
   */
  dependsOn?: { table: (typeof HOLDER_TABLES)[number]; column: string };
  /** Whether an update can change the amounts of a row. */
  updated?: boolean;
  /** True for applications, which have their own trigger for transfers and deletion. */
  moved?: boolean;
  /** Whether inserting statements record the deltas themselves, which is cheaper than a trigger. */
  countedOnInsert?: boolean;
  /** Distinguishes several counters on the same table. */
  name?: string;
  /** Whether the count is maintained by the writing statements instead of a trigger. */
  isMaintainedElsewhere?: boolean;
}

/** Returns amounts that count each row as one of a kind. */
export const rowCount = (kind: string): CountedRows['amounts'] => [{ kind: `'${kind}'`, amount: '1' }];

/** Tables of all possible holders of counted rows. */
export const HOLDER_TABLES = ['applications', 'users', 'orgs', 'instances', 'flows', 'data_tables'] as const;

/** Returns SQL for the holder, kind and amount of each of the `rows`. */
export function countedSql({ holder, amounts, where = 'true' }: CountedRows, rows: string): string {
  return amounts
    .map(
      ({ kind, amount }) =>
        `SELECT r.${holder} AS holder_id, ${kind} AS kind, ${amount} AS n FROM ${rows} r WHERE ${where}`,
    )
    .join(' UNION ALL ');
}

/**
 * Returns SQL for the owner whose counts include those of the application `id`; null after the application is deleted.
 */
export const ownerSql = (id: string): string =>
  `(SELECT a.owner_id FROM applications a WHERE a.id = ${id} AND a.deleted_at IS NULL)`;

/** Returns the database name of the function and the triggers of a counter. */
export const counterName = ({ table, name }: CountedRows): string => `count_${name ?? table}`;

/** Returns SQL that records deltas. `changes` is a query for holders, kinds and amounts. */
const recordDeltaSql = (changes: string, { ofApplications }: CountedRows): string =>
  `INSERT INTO count_deltas (holder_id, owner_id, kind, n)
      SELECT c.holder_id, ${ofApplications ? ownerSql('c.holder_id') : 'NULL'}, c.kind, sum(c.n) FROM (${changes}) c
      WHERE c.holder_id IS NOT NULL GROUP BY c.holder_id, c.kind HAVING sum(c.n) <> 0`;

/** Returns SQL that locks the rows on which the counting of `rows` depends. Later reads see their committed state. */
const lockSql = (rows: string, { dependsOn }: CountedRows): string =>
  dependsOn
    ? `PERFORM FROM ${dependsOn.table} d WHERE d.id IN (SELECT r.${dependsOn.column} FROM ${rows} r) ORDER BY d.id FOR SHARE; `
    : '';

/** Returns the statement that counts the existing rows, for the migration that introduces a counter. */
export const recordDeltasSql = (rows: CountedRows): string =>
  recordDeltaSql(countedSql(rows, rows.table), rows);

/**
 * Returns the statements that make PostgreSQL maintain a counter: one function, and a trigger for each kind of change.
 * Triggers run once per statement, so bulk writes and cascades cost as much as single rows. They only insert, so
 * writers do not wait for each other. Migrations call this function, so its result for given rows must never change.
 */
export function countTriggers(rows: CountedRows): string[] {
  const name = counterName(rows);
  const write = (changes: string) => recordDeltaSql(changes, rows);
  const come = countedSql(rows, 'come');
  const gone = `SELECT g.holder_id, g.kind, -g.n AS n FROM (${countedSql(rows, 'gone')}) g`;
  const removal = `${lockSql('gone', rows)}${write(gone)};`;
  const body = rows.countedOnInsert
    ? [removal]
    : [
        `IF TG_OP = 'INSERT' THEN ${lockSql('come', rows)}${write(come)};`,
        `ELSIF TG_OP = 'DELETE' THEN ${removal}`,
        rows.updated ? `ELSE ${write(`${come} UNION ALL ${gone}`)};` : '',
        'END IF;',
      ];
  const trigger = (change: string, tables: string) =>
    `CREATE TRIGGER ${name}_${change} AFTER ${change.toUpperCase()} ON ${rows.table}
      REFERENCING ${tables} FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`;
  return [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN ${body.join('\n')} RETURN NULL; END $$`,
    ...(rows.countedOnInsert ? [] : [trigger('insert', 'NEW TABLE AS come')]),
    ...(rows.moved ? [] : [trigger('delete', 'OLD TABLE AS gone')]),
    ...(rows.updated ? [trigger('update', 'OLD TABLE AS gone NEW TABLE AS come')] : []),
  ];
}
