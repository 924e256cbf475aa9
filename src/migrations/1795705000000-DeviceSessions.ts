import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the MQTT connections of devices, and the processes that serve them. */
export class DeviceSessions1795705000000 implements MigrationInterface {
  name = 'DeviceSessions1795705000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "device_sessions" (
      "device_id" text NOT NULL,
      "application_id" text NOT NULL,
      "session_id" text NOT NULL,
      "process_id" text NOT NULL,
      "connected_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "address" text NOT NULL,
      "is_secure" boolean NOT NULL,
      "will" jsonb,
      CONSTRAINT "device_sessions_pkey" PRIMARY KEY ("device_id"))`);
    await queryRunner.query(
      'CREATE INDEX "device_sessions_by_application" ON "device_sessions" ("application_id")',
    );
    await queryRunner.query('CREATE INDEX "device_sessions_by_process" ON "device_sessions" ("process_id")');
    await queryRunner.query(`ALTER TABLE "device_sessions" ADD CONSTRAINT "FK_8a34cbf70319391750fadcf050c"
      FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE`);
    await queryRunner.query(`CREATE TABLE "broker_processes" (
      "id" text NOT NULL,
      "expires_at" TIMESTAMP WITH TIME ZONE NOT NULL,
      CONSTRAINT "broker_processes_pkey" PRIMARY KEY ("id"))`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "broker_processes"');
    await queryRunner.query('DROP TABLE "device_sessions"');
  }
}
