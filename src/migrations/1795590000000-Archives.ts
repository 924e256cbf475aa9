import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the progress of daily archives and their schedule by application. */
export class Archives1795590000000 implements MigrationInterface {
  name = 'Archives1795590000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE TABLE "archive_schedules" ("application_id" text NOT NULL, "run_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, "next_day" TIMESTAMP(3) WITH TIME ZONE, CONSTRAINT "PK_0740496b320d7d96b01be19ea7d" PRIMARY KEY ("application_id"))',
    );
    await queryRunner.query(`
      ALTER TABLE "archive_schedules"
      ADD CONSTRAINT "FK_0740496b320d7d96b01be19ea7d" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
    await queryRunner.query(
      'CREATE INDEX "applications_archived" ON "applications" ("id") WHERE archive_config IS NOT NULL AND deleted_at IS NULL',
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "applications_archived"');
    await queryRunner.query('DROP TABLE "archive_schedules"');
  }
}
