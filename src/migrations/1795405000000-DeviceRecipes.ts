import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, type CountedRows } from '../platform/counts/count-triggers.js';

const COUNTED: CountedRows = {
  table: 'device_recipes',
  holder: 'application_id',
  ofApplications: true,
  amounts: [{ kind: `'deviceRecipeCount'`, amount: '1' }],
};

const INDEXES: Readonly<Record<string, string>> = {
  device_recipes_by_application: '"application_id", "id"',
  device_recipes_by_name: '"application_id", "name", "id"',
  device_recipes_by_creation: '"application_id", "creation_date", "id"',
  device_recipes_by_change: '"application_id", "last_updated", "id"',
};

/** Adds device recipes, the templates from which devices are created. */
export class DeviceRecipes1795405000000 implements MigrationInterface {
  name = 'DeviceRecipes1795405000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "device_recipes" (
      "id" text NOT NULL,
      "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "application_id" text NOT NULL,
      "name" text NOT NULL,
      "description" text,
      "device_name" text,
      "device_description" text,
      "tags" jsonb NOT NULL,
      "attributes" jsonb NOT NULL,
      "device_class" text NOT NULL,
      "gateway_id" text,
      "parent_id" text,
      "system_interval" integer,
      "keep_duplicates" boolean NOT NULL,
      CONSTRAINT "PK_7b1a1514d88ed2e6607ef42c2c1" PRIMARY KEY ("id")
    )`);
    for (const [name, columns] of Object.entries(INDEXES))
      await queryRunner.query(`CREATE INDEX "${name}" ON "device_recipes" (${columns})`);
    await queryRunner.query(`
      ALTER TABLE "device_recipes"
      ADD CONSTRAINT "FK_b89f7ab36d698d503e1d69f4102" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
    for (const statement of countTriggers(COUNTED)) await queryRunner.query(statement);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION ${counterName(COUNTED)} CASCADE`);
    await queryRunner.query('DROP TABLE "device_recipes"');
  }
}
