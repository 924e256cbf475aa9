import type { DataSource } from 'typeorm';

/** Tables that change without a request: the job queue and the migrations. */
const IGNORED_TABLES = ['jobs', 'migrations'];

/** Reports the tables of a suite's database with changed rows, at a cost independent of their size. */
export class ChangedRows {
  private constructor(private readonly dataSource: DataSource) {}

  /** Watches every table. */
  static async of(dataSource: DataSource): Promise<ChangedRows> {
    await dataSource.query(`
      CREATE TABLE changed_rows (table_name text);
      CREATE FUNCTION note_changed_row() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO public.changed_rows VALUES (TG_TABLE_NAME); RETURN NULL; END $$;`);
    const tables: { name: string }[] = await dataSource.query(
      // Partitions inherit the triggers of their tables.
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> ALL($1)`,
      [[...IGNORED_TABLES, 'changed_rows']],
    );
    for (const { name } of tables) {
      await dataSource.query(`
        CREATE TRIGGER noted AFTER INSERT OR DELETE ON "${name}"
          FOR EACH ROW EXECUTE FUNCTION note_changed_row();
        CREATE TRIGGER noted_update AFTER UPDATE ON "${name}"
          FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION note_changed_row();`);
    }
    return new ChangedRows(dataSource);
  }

  /** Returns the tables with inserted, updated or deleted rows since the previous call, sorted by name. */
  async take(): Promise<string[]> {
    const rows: { name: string }[] = await this.dataSource.query(
      'WITH taken AS (DELETE FROM changed_rows RETURNING table_name) SELECT DISTINCT table_name AS name FROM taken ORDER BY 1',
    );
    return rows.map(({ name }) => name);
  }
}
