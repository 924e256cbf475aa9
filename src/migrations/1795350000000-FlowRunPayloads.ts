import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addNotNull, inBatches, inTransaction } from '../platform/database/migrate.js';

/**
 * Stores each received payload once and lets runs refer to it. Each existing run gets its own payload. Runs are copied in
 * steps that can be repeated, so that no step locks them for long.
 */
export class FlowRunPayloads1795350000000 implements MigrationInterface {
  name = 'FlowRunPayloads1795350000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    // An earlier attempt may have ended after the last step.
    if (!(await queryRunner.hasColumn('flow_runs', 'trigger'))) return;
    await queryRunner.query(
      `CREATE TABLE IF NOT EXISTS "flow_run_payloads" ("id" text NOT NULL, "application_id" text NOT NULL, "trigger" json NOT NULL,
        CONSTRAINT "PK_5c5b096cb4d88409a565407817f" PRIMARY KEY ("id"),
        CONSTRAINT "FK_4a8ab6e9ff1da677e1446980fca" FOREIGN KEY ("application_id") REFERENCES "applications"("id")
          ON DELETE CASCADE ON UPDATE NO ACTION)`,
    );
    await queryRunner.query(
      'CREATE INDEX IF NOT EXISTS "flow_run_payloads_by_application" ON "flow_run_payloads" ("application_id")',
    );
    await inTransaction(queryRunner, this.name, async () => {
      await queryRunner.query('ALTER TABLE "flow_runs" ADD COLUMN IF NOT EXISTS "payload_id" text');
    });
    await inBatches(
      queryRunner,
      'flow_runs',
      (which) => `WITH moved AS (UPDATE flow_runs r SET payload_id = r.id
          WHERE ${which} AND r.payload_id IS NULL RETURNING r.id, r.application_id, r.trigger)
        INSERT INTO flow_run_payloads (id, application_id, trigger) SELECT * FROM moved`,
    );
    await addNotNull(queryRunner, this.name, 'flow_runs', 'payload_id');
    await inTransaction(queryRunner, this.name, async () => {
      await queryRunner.query('ALTER TABLE "flow_runs" DROP COLUMN IF EXISTS "trigger"');
    });
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
