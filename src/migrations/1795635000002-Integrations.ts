import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countTriggers, rowCount, type CountedRows } from '../platform/counts/count-triggers.js';

const COUNTED: CountedRows = {
  table: 'integrations',
  holder: 'application_id',
  ofApplications: true,
  amounts: rowCount("integrationCount"),
};

/** Adds integrations, which connect applications to other services. */
export class Integrations1795635000002 implements MigrationInterface {
  name = 'Integrations1795635000002';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "integrations" (
                "id" text NOT NULL,
                "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "application_id" text NOT NULL,
                "name" text NOT NULL,
                "integration_type" text NOT NULL,
                "enabled" boolean NOT NULL,
                "credential_name" text,
                "topics" jsonb,
                "azure_event_hub_config" jsonb,
                "google_pub_sub_config" jsonb,
                "mqtt_config" jsonb,
                "particle_config" jsonb,
                "sqs_config" jsonb,
                "websocket_config" jsonb,
                "secrets_sealed" text NOT NULL,
                CONSTRAINT "PK_9adcdc6d6f3922535361ce641e8" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "integrations_by_change" ON "integrations" ("application_id", "last_updated", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "integrations_by_creation" ON "integrations" ("application_id", "creation_date", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "integrations_by_type" ON "integrations" ("application_id", "integration_type", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "integrations_by_name" ON "integrations" ("application_id", "name", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "integrations_by_application" ON "integrations" ("application_id", "id")
        `);
    await queryRunner.query(`
            ALTER TABLE "integrations"
            ADD CONSTRAINT "FK_c794e4aa710ff909a2fd6963981" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    for (const statement of countTriggers(COUNTED)) await queryRunner.query(statement);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION count_integrations CASCADE');
    await queryRunner.query(`
            ALTER TABLE "integrations" DROP CONSTRAINT "FK_c794e4aa710ff909a2fd6963981"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."integrations_by_application"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."integrations_by_name"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."integrations_by_type"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."integrations_by_creation"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."integrations_by_change"
        `);
    await queryRunner.query(`
            DROP TABLE "integrations"
        `);
  }
}
