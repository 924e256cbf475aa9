import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inBatches } from '../platform/database/migrate.js';

/** Stores each received payload once and lets runs refer to it. Each existing run gets its own payload. */
export class FlowRunPayloads1795350000000 implements MigrationInterface {
  name = 'FlowRunPayloads1795350000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE TABLE "flow_run_payloads" ("id" text NOT NULL, "application_id" text NOT NULL, "trigger" json NOT NULL)',
    );
    await inBatches(
      queryRunner,
      'flow_runs',
      (which) => `INSERT INTO flow_run_payloads (id, application_id, trigger)
        SELECT r.id, r.application_id, r.trigger FROM flow_runs r WHERE ${which}`,
    );
    await queryRunner.query('ALTER TABLE "flow_run_payloads" ADD CONSTRAINT "PK_5c5b096cb4d88409a565407817f" PRIMARY KEY ("id")');
    await queryRunner.query(
      'CREATE INDEX "flow_run_payloads_by_application" ON "flow_run_payloads" ("application_id")',
    );
    await queryRunner.query(`
      ALTER TABLE "flow_run_payloads" ADD CONSTRAINT "FK_4a8ab6e9ff1da677e1446980fca" FOREIGN KEY ("application_id") REFERENCES "applications"("id")
      ON DELETE CASCADE ON UPDATE NO ACTION`);
    // Reuses the trigger column for the payload ID in a single table rewrite, which fires no row triggers.
    await queryRunner.query('ALTER TABLE "flow_runs" ALTER COLUMN "trigger" TYPE text USING "id"');
    await queryRunner.query('ALTER TABLE "flow_runs" RENAME COLUMN "trigger" TO "payload_id"');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "flow_runs" ADD COLUMN "trigger" json');
    await queryRunner.query('ALTER TABLE "flow_runs" DISABLE TRIGGER USER');
    await queryRunner.query(`
      UPDATE flow_runs r SET trigger = coalesce((SELECT p.trigger FROM flow_run_payloads p WHERE p.id = r.payload_id), '{}')`);
    await queryRunner.query('ALTER TABLE "flow_runs" ENABLE TRIGGER USER');
    await queryRunner.query('ALTER TABLE "flow_runs" ALTER COLUMN "trigger" SET NOT NULL');
    await queryRunner.query('ALTER TABLE "flow_runs" DROP COLUMN "payload_id"');
    await queryRunner.query('DROP TABLE "flow_run_payloads"');
  }
}
