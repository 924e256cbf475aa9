import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inTransaction } from '../platform/database/migrate.js';

/** Adds the traces of runs. */
export class FlowRunTraces1795680000000 implements MigrationInterface {
  name = 'FlowRunTraces1795680000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await inTransaction(queryRunner, this.name, async () => {
      await queryRunner.query(`
            CREATE TABLE IF NOT EXISTS "flow_run_traces" (
                "id" text NOT NULL,
                "application_id" text NOT NULL,
                "flow_id" text NOT NULL,
                "trace" json NOT NULL,
                CONSTRAINT "PK_466a949d5af4e84132155affa26" PRIMARY KEY ("id"),
                CONSTRAINT "FK_8b08d85c6275a2681e210487862" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION
            )
        `);
      await queryRunner.query(
        'CREATE INDEX IF NOT EXISTS "flow_run_traces_by_application" ON "flow_run_traces" ("application_id")',
      );
      await queryRunner.query(
        'CREATE INDEX IF NOT EXISTS "flow_run_traces_by_flow" ON "flow_run_traces" ("flow_id")',
      );
    });
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE flow_run_traces');
  }
}
