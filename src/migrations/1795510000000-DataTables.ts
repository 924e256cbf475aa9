import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, type CountedRows } from '../platform/counts/count-triggers.js';

const COUNTED: CountedRows = {
  table: 'data_tables',
  holder: 'application_id',
  ofApplications: true,
  amounts: [{ kind: `'dataTableCount'`, amount: '1' }],
};

const INDEXES: Readonly<Record<string, string>> = {
  data_tables_by_application: '"application_id", "id"',
  data_tables_by_name: '"application_id", "name", "id"',
  data_tables_by_creation: '"application_id", "creation_date", "id"',
  data_tables_by_change: '"application_id", "last_updated", "id"',
};

/**
 * Returns the actual number of rows, for comparison with the stored count; `NULL` if the table was dropped
 * concurrently.
 */
const COUNT_ROWS = `CREATE FUNCTION count_data_table_rows(table_id text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
  DECLARE n bigint;
  BEGIN
    EXECUTE format('SELECT count(*) FROM data_tables.%I', 't_' || table_id) INTO n;
    RETURN n;
  EXCEPTION WHEN undefined_table THEN RETURN 0;
  END $$`;

/** Drops the rows together with the data table, regardless of how it is deleted. */
const DROP_ROWS = `CREATE FUNCTION drop_data_table_rows() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    EXECUTE format('DROP TABLE IF EXISTS data_tables.%I', 't_' || OLD.id);
    RETURN NULL;
  END $$`;

/** Adds data tables, and the schema with one table of rows for each. */
export class DataTables1795510000000 implements MigrationInterface {
  name = 'DataTables1795510000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "data_tables" (
      "id" text NOT NULL,
      "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "application_id" text NOT NULL,
      "name" text NOT NULL,
      "description" text,
      "columns" jsonb NOT NULL,
      "column_numbers" integer array NOT NULL,
      "column_version" integer NOT NULL,
      CONSTRAINT "PK_c754d9dc5046ed2758810b3b95d" PRIMARY KEY ("id")
    )`);
    for (const [name, columns] of Object.entries(INDEXES))
      await queryRunner.query(`CREATE INDEX "${name}" ON "data_tables" (${columns})`);
    await queryRunner.query(`
      ALTER TABLE "data_tables"
      ADD CONSTRAINT "FK_4df8f946015bd482c5ed13fea2f" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
    // `IF NOT EXISTS` alone requires the right to create schemas even if this one exists.
    if (!(await queryRunner.hasSchema('data_tables'))) await queryRunner.query('CREATE SCHEMA data_tables');
    for (const statement of [COUNT_ROWS, DROP_ROWS]) await queryRunner.query(statement);
    await queryRunner.query(`CREATE TRIGGER drop_rows AFTER DELETE ON data_tables
      FOR EACH ROW EXECUTE FUNCTION drop_data_table_rows()`);
    await queryRunner.query(`CREATE TRIGGER forget_counts AFTER DELETE ON data_tables
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_counts()`);
    for (const statement of countTriggers(COUNTED)) await queryRunner.query(statement);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION ${counterName(COUNTED)} CASCADE`);
    await queryRunner.query('DROP SCHEMA data_tables CASCADE');
    await queryRunner.query('DROP TABLE "data_tables"');
    for (const name of ['count_data_table_rows(text)', 'drop_data_table_rows'])
      await queryRunner.query(`DROP FUNCTION ${name}`);
  }
}
