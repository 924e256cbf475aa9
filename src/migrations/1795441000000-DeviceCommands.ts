import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the commands sent to devices and the times of their connections. */
export class DeviceCommands1795441000000 implements MigrationInterface {
  name = 'DeviceCommands1795441000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE "device_commands" (
        "id" text NOT NULL,
        "application_id" text NOT NULL,
        "device_id" text NOT NULL,
        "time" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        "name" text NOT NULL,
        "payload" json,
        CONSTRAINT "PK_08a3f976a83bbf1754fbf4088c7" PRIMARY KEY ("id")
      )`);
    await queryRunner.query(`
      CREATE TABLE "device_connections" (
        "id" text NOT NULL,
        "application_id" text NOT NULL,
        "device_id" text NOT NULL,
        "time" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        "connected" smallint NOT NULL,
        "disconnect_reason" text,
        "messages_from_client" integer,
        "messages_to_client" integer,
        "ip_address" text,
        CONSTRAINT "PK_f2cb77c1c931a9a5e8c6c8c20ce" PRIMARY KEY ("id")
      )`);
    for (const [table, key] of TABLES) {
      await queryRunner.query(`CREATE INDEX "${table}_by_device" ON "${table}" ("device_id", "time", "id")`);
      await queryRunner.query(`CREATE INDEX "${table}_by_age" ON "${table}" ("application_id", "time")`);
      await queryRunner.query(`
        ALTER TABLE "${table}" ADD CONSTRAINT "${key}" FOREIGN KEY ("application_id") REFERENCES "applications"("id")
        ON DELETE CASCADE ON UPDATE NO ACTION`);
      // A few devices may own most of the rows. With statistics based on that, look-ups of other devices would scan the
      // whole table.
      for (const column of ['application_id', 'device_id'])
        await queryRunner.query(`ALTER TABLE ${table} ALTER COLUMN ${column} SET (n_distinct = -0.01)`);
    }
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "device_connections"');
    await queryRunner.query('DROP TABLE "device_commands"');
  }
}

const TABLES = [
  ['device_commands', 'FK_0f1a910b79051cae006c52604d5'],
  ['device_connections', 'FK_184afbb7736c49c7956ec60ce0d'],
] as const;
