import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, type CountedRows } from '../platform/counts/count-triggers.js';

const counted = (table: string, count: string): CountedRows => ({
  table,
  holder: 'application_id',
  ofApplications: true,
  amounts: [{ kind: `'${count}'`, amount: '1' }],
});
const TREES = [
  { counts: counted('files', 'fileCount'), primary: 'PK_6c16b9093a142e0e7613b04a3d9', foreign: 'FK_d4104654f1514d7694c7918a2f5' },
  { counts: counted('private_files', 'privateFileCount'), primary: 'PK_ef43641b6dce12bea9c7cde346a', foreign: 'FK_6965df996bc4b2c3b376fd20d0b' },
];
const INDEXES: Readonly<Record<string, string>> = {
  in_directory: '"application_id", "parent_id", "name", "id"',
  by_application: '"application_id", "id"',
  by_name: '"application_id", "name", "id"',
  by_type: '"application_id", "type", "id"',
  by_creation: '"application_id", "creation_date", "id"',
  by_change: '"application_id", "last_updated", "id"',
};

const ofApplication = (table: string, name: string) => `ALTER TABLE "${table}" ADD CONSTRAINT "${name}"
  FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`;

/** Removes a blob that no row refers to anymore, after a row is deleted or gets different content. */
const FORGET = (rows: string, seconds: number) =>
  `INSERT INTO temporary_blobs (key, ends_at) SELECT g.content_key, now() + ${seconds} * interval '1 second' FROM ${rows} g
    WHERE g.content_key IS NOT NULL ON CONFLICT (key) DO UPDATE SET ends_at = excluded.ends_at;`;

/** Adds the files of applications and their pending uploads. */
export class Files1795520000000 implements MigrationInterface {
  name = 'Files1795520000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE FUNCTION forget_file_contents() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN ${FORGET('gone', 0)} RETURN NULL; END $$`);
    // Readers of the previous content may continue for an hour.
    await queryRunner.query(`CREATE FUNCTION forget_file_content() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN ${FORGET('(SELECT OLD.content_key)', 3600)} RETURN NULL; END $$`);
    for (const { counts, primary, foreign } of TREES) {
      const { table } = counts;
      await queryRunner.query(`CREATE TABLE "${table}" (
        "id" text NOT NULL,
        "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        "application_id" text NOT NULL,
        "name" text NOT NULL,
        "type" text NOT NULL,
        "status" text NOT NULL,
        "content_type" text,
        "file_size" bigint,
        "file_dimensions" jsonb,
        "s3etag" text,
        "author_id" text,
        "author_type" text,
        "parent_id" text NOT NULL,
        "content_key" text,
        CONSTRAINT "${primary}" PRIMARY KEY ("id")
      )`);
      await queryRunner.query(
        `CREATE UNIQUE INDEX "${table}_path" ON "${table}" ("application_id", "parent_id", "name") WHERE status <> 'deleting'`,
      );
      await queryRunner.query(
        `CREATE INDEX "${table}_directories" ON "${table}" ("application_id", "parent_id") WHERE type = 'directory'`,
      );
      await queryRunner.query(
        `CREATE INDEX "${table}_deleting" ON "${table}" ("application_id") WHERE status = 'deleting'`,
      );
      for (const [name, columns] of Object.entries(INDEXES))
        await queryRunner.query(`CREATE INDEX "${table}_${name}" ON "${table}" (${columns})`);
      await queryRunner.query(ofApplication(table, foreign));
      for (const statement of countTriggers(counts)) await queryRunner.query(statement);
      await queryRunner.query(`CREATE TRIGGER forget_${table} AFTER DELETE ON ${table}
        REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_file_contents()`);
      await queryRunner.query(`CREATE TRIGGER forget_changed_${table} AFTER UPDATE OF content_key ON ${table}
        FOR EACH ROW WHEN (OLD.content_key IS DISTINCT FROM NEW.content_key) EXECUTE FUNCTION forget_file_content()`);
    }
    await queryRunner.query(`CREATE TABLE "file_uploads" (
      "id" text NOT NULL,
      "application_id" text NOT NULL,
      "file_id" text NOT NULL,
      "kind" text NOT NULL,
      "content_type" text,
      "file_dimensions" jsonb,
      "ends_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "PK_b3ebfc99a8b660f0bc64a052b42" PRIMARY KEY ("id")
    )`);
    await queryRunner.query(ofApplication('file_uploads', 'FK_e36379f45ff3a1f2c0777d83260'));
    await queryRunner.query('CREATE INDEX "file_uploads_by_application" ON "file_uploads" ("application_id")');
    await queryRunner.query('CREATE INDEX "file_uploads_by_file" ON "file_uploads" ("file_id")');
    await queryRunner.query('CREATE INDEX "file_uploads_by_end" ON "file_uploads" ("ends_at")');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "file_uploads"');
    for (const { counts } of TREES) {
      await queryRunner.query(`DROP FUNCTION ${counterName(counts)} CASCADE`);
      await queryRunner.query(`DROP TABLE "${counts.table}"`);
    }
    await queryRunner.query('DROP FUNCTION forget_file_contents');
    await queryRunner.query('DROP FUNCTION forget_file_content');
  }
}
