import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Vacuums frequently updated tables early, so that the space of dead rows is reused. */
const BUSY = `autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 10000`;

/**
 * Adds device reports: points in daily partitions, hourly aggregates in weekly partitions, the hours to be aggregated,
 * and the state of each device. Partitions are created on demand.
 */
export class DevicePoints1795410000000 implements MigrationInterface {
  name = 'DevicePoints1795410000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    // Fixed-width columns come first, to avoid alignment padding.
    await queryRunner.query(`
      CREATE TABLE "device_points" (
        "time" bigint NOT NULL,
        "number" double precision,
        "attribute" integer NOT NULL,
        "boolean" boolean,
        "application_id" text NOT NULL,
        "device_id" text NOT NULL,
        "text" text,
        CONSTRAINT "device_points_key" PRIMARY KEY ("application_id", "device_id", "attribute", "time")
      ) PARTITION BY RANGE ("time")`);
    await queryRunner.query(`
      CREATE TABLE "device_hours" (
        "hour" bigint NOT NULL,
        "first_time" bigint NOT NULL,
        "last_time" bigint NOT NULL,
        "first" double precision,
        "last" double precision,
        "min" double precision,
        "max" double precision,
        "sum" double precision,
        "squares" double precision,
        "count" integer NOT NULL,
        "attribute" integer NOT NULL,
        "application_id" text NOT NULL,
        "device_id" text NOT NULL,
        CONSTRAINT "device_hours_key" PRIMARY KEY ("application_id", "device_id", "attribute", "hour")
      ) PARTITION BY RANGE ("hour")`);
    await queryRunner.query(`
      CREATE TABLE "device_hours_due" (
        "hour" bigint NOT NULL,
        "application_id" text NOT NULL,
        "device_id" text NOT NULL,
        CONSTRAINT "device_hours_due_key" PRIMARY KEY ("application_id", "device_id", "hour")
      ) WITH (${BUSY})`);
    await queryRunner.query('CREATE INDEX "device_hours_due_by_hour" ON "device_hours_due" ("hour")');
    await queryRunner.query(`
      CREATE TABLE "device_states" (
        "connection_time" TIMESTAMP(3) WITH TIME ZONE,
        "connected_at" TIMESTAMP(3) WITH TIME ZONE,
        "disconnected_at" TIMESTAMP(3) WITH TIME ZONE,
        "connected" smallint,
        "device_id" text NOT NULL,
        "application_id" text NOT NULL,
        "last_values" jsonb NOT NULL DEFAULT '{}',
        CONSTRAINT "device_states_key" PRIMARY KEY ("device_id")
      ) WITH (fillfactor = 70, ${BUSY})`);
    await queryRunner.query('CREATE INDEX "device_states_by_application" ON "device_states" ("application_id")');
    await queryRunner.query(`
      ALTER TABLE "device_states"
      ADD CONSTRAINT "FK_c953ae100e0957f2c835f605faf" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['device_states', 'device_hours_due', 'device_hours', 'device_points'])
      await queryRunner.query(`DROP TABLE ${table}`);
  }
}
