/** Rows of a table that are counted for whoever holds them. */
export interface CountedRows {
  table: string;
  /** The column that says who holds a row. */
  holder: string;
  /** True where the holder may be an application: the counts of its owner then include it. */
  ofApplications?: boolean;
  /** SQL over `r`, a row: the kinds of count that it adds to, each with how much it adds. */
  amounts: readonly { kind: string; amount: string }[];
  /** SQL over `r`: the rows that count; absent where all do. */
  where?: string;
  /**
   * The row that `where` asks besides, if any: rows that come and go keep it from changing until they are committed, so
   * that they and whoever changes it never both count, or neither.
   */
  decidedBy?: { table: (typeof HOLDER_TABLES)[number]; column: string };
  /** True where an update can change what a row adds. */
  updated?: boolean;
  /** True for applications: their own trigger follows them when they change hands or are removed. */
  moved?: boolean;
  /** Tells apart what is counted of one table for several holders. */
  name?: string;
  /** True where no trigger keeps the count, but the statements that write the rows. */
  keptElsewhere?: boolean;
}

/** The tables of everybody who holds something that is counted. */
export const HOLDER_TABLES = ['applications', 'users', 'orgs', 'instances', 'flows', 'data_tables'] as const;

/** SQL of each row's holder, kind and amount, of `rows`. */
export function countedSql({ holder, amounts, where = 'true' }: CountedRows, rows: string): string {
  return amounts
    .map(
      ({ kind, amount }) =>
        `SELECT r.${holder} AS holder_id, ${kind} AS kind, ${amount} AS n FROM ${rows} r WHERE ${where}`,
    )
    .join(' UNION ALL ');
}

/** The owner whose counts include those of the application `id`; none once the application is deleted. */
export const ownerSql = (id: string): string =>
  `(SELECT a.owner_id FROM applications a WHERE a.id = ${id} AND a.deleted_at IS NULL)`;

/** The name that the function and the triggers of counted rows have in the database. */
export const counterName = ({ table, name }: CountedRows): string => `count_${name ?? table}`;

/** SQL that notes changes, a statement of holders, kinds and amounts, for those who add them to kept counts. */
const noteSql = (changes: string, { ofApplications }: CountedRows): string =>
  `INSERT INTO count_deltas (holder_id, owner_id, kind, n)
      SELECT c.holder_id, ${ofApplications ? ownerSql('c.holder_id') : 'NULL'}, c.kind, sum(c.n) FROM (${changes}) c
      WHERE c.holder_id IS NOT NULL GROUP BY c.holder_id, c.kind HAVING sum(c.n) <> 0`;

/** SQL that locks the rows which decide whether `rows` count; what is read after it is as they were committed. */
const lockSql = (rows: string, { decidedBy }: CountedRows): string =>
  decidedBy
    ? `PERFORM FROM ${decidedBy.table} d WHERE d.id IN (SELECT r.${decidedBy.column} FROM ${rows} r) ORDER BY d.id FOR SHARE; `
    : '';

/** The statement that counts what is there already, for the migration that begins to count it. */
export const keepCountsSql = (rows: CountedRows): string => noteSql(countedSql(rows, rows.table), rows);

/**
 * The statements that make PostgreSQL keep counts of rows: one function, and a trigger for each kind of change. Triggers
 * run once a statement, so that bulk writes and cascades cost what single rows do, and they only insert, so that writers
 * do not wait for each other. Migrations call it: what it returns for given rows never changes.
 */
export function countTriggers(rows: CountedRows): string[] {
  const name = counterName(rows);
  const write = (changes: string) => noteSql(changes, rows);
  const come = countedSql(rows, 'come');
  const gone = `SELECT g.holder_id, g.kind, -g.n AS n FROM (${countedSql(rows, 'gone')}) g`;
  const body = [
    `IF TG_OP = 'INSERT' THEN ${lockSql('come', rows)}${write(come)};`,
    `ELSIF TG_OP = 'DELETE' THEN ${lockSql('gone', rows)}${write(gone)};`,
    rows.updated ? `ELSE ${write(`${come} UNION ALL ${gone}`)};` : '',
    'END IF;',
  ];
  const trigger = (change: string, tables: string) =>
    `CREATE TRIGGER ${name}_${change} AFTER ${change.toUpperCase()} ON ${rows.table}
      REFERENCING ${tables} FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`;
  return [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN ${body.join('\n')} RETURN NULL; END $$`,
    trigger('insert', 'NEW TABLE AS come'),
    ...(rows.moved ? [] : [trigger('delete', 'OLD TABLE AS gone')]),
    ...(rows.updated ? [trigger('update', 'OLD TABLE AS gone NEW TABLE AS come')] : []),
  ];
}
