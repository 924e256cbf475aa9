import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inTransaction, replaceIndex } from '../platform/database/migrate.js';

/** Adds the states of nodes between runs, and finds stored values of workflows by the day of their last use. */
export class FlowNodeStates1795660000000 implements MigrationInterface {
  name = 'FlowNodeStates1795660000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await inTransaction(queryRunner, this.name, async () => {
      await queryRunner.query(`
            CREATE TABLE IF NOT EXISTS "flow_node_states" (
                "flow_id" text NOT NULL,
                "node_id" text NOT NULL,
                "identifier" text NOT NULL,
                "application_id" text NOT NULL,
                "state" jsonb NOT NULL,
                "revision" integer NOT NULL,
                "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "PK_754d47baf1e1edcf6d3ef719b91" PRIMARY KEY ("flow_id", "node_id", "identifier"),
                CONSTRAINT "FK_5d9b3725e445ac99ea58bd9a2db" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION
            )
        `);
      await queryRunner.query(`
            CREATE INDEX IF NOT EXISTS "flow_node_states_by_day" ON "flow_node_states" ("application_id", "last_updated")
        `);
    });
    await replaceIndex(queryRunner, 'flow_storage_by_day', 'flow_storage (application_id, last_updated)');
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS flow_storage_by_application');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX flow_storage_by_application ON flow_storage (application_id)');
    await queryRunner.query('DROP INDEX flow_storage_by_day');
    await queryRunner.query('DROP TABLE flow_node_states');
  }
}
