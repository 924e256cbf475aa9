import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Allows retrying jobs that failed permanently. Attempt numbers continue, so that each number stays unique. */
export class JobRetries1795330000000 implements MigrationInterface {
  name = 'JobRetries1795330000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "jobs" ADD "attempts_before" integer NOT NULL DEFAULT 0');
    await queryRunner.query(
      `CREATE INDEX "jobs_failed" ON "jobs" ("completed_at") WHERE status = 'failed'`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "public"."jobs_failed"');
    await queryRunner.query('ALTER TABLE "jobs" DROP COLUMN "attempts_before"');
  }
}
