import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds imports into applications, and the order in which they run. */
export class ApplicationImports1795585000000 implements MigrationInterface {
  name = 'ApplicationImports1795585000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE "application_imports" (
        "id" text NOT NULL,
        "application_id" text NOT NULL,
        "job_id" text,
        "status" text NOT NULL,
        "asked" jsonb NOT NULL,
        "result" jsonb,
        "source_id" text NOT NULL,
        "source_type" text NOT NULL,
        "run_queued_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        "run_started_at" TIMESTAMP(3) WITH TIME ZONE,
        "run_completed_at" TIMESTAMP(3) WITH TIME ZONE,
        CONSTRAINT "PK_709f2f8bcfb0d6611369db29057" PRIMARY KEY ("id")
      )`);
    await queryRunner.query(
      'CREATE INDEX "application_imports_by_time" ON "application_imports" ("application_id", "run_queued_at", "id")',
    );
    await queryRunner.query(`
      ALTER TABLE "application_imports"
      ADD CONSTRAINT "FK_d4af97d8720f9f3a6aa03ffb419" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
    await queryRunner.query(`
      CREATE TABLE "import_turns" (
        "owner_id" text NOT NULL,
        "import_id" text NOT NULL,
        "job_id" text,
        "ends_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        CONSTRAINT "PK_25c23caba35a515dddba8cff7a9" PRIMARY KEY ("owner_id")
      )`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "import_turns"');
    await queryRunner.query('DROP TABLE "application_imports"');
  }
}
