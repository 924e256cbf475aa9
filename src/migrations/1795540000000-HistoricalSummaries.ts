import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds monthly summaries, stored when the month is over. */
export class HistoricalSummaries1795540000000 implements MigrationInterface {
  name = 'HistoricalSummaries1795540000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE "historical_summaries" (
        "instance_id" text NOT NULL,
        "current_period_start" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        "resource_type" text NOT NULL,
        "id" text NOT NULL,
        "owner_id" text,
        "owner_type" text,
        "summary" jsonb NOT NULL,
        CONSTRAINT "PK_5e4de39bff61b44b49bda0b015f" PRIMARY KEY ("instance_id", "current_period_start", "resource_type", "id")
      )`);
    await queryRunner.query(
      'CREATE INDEX "historical_summaries_by_age" ON "historical_summaries" ("current_period_start")',
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "historical_summaries"');
  }
}
