import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inTransaction } from '../platform/database/migrate.js';

const COLUMNS = 'application_id, flow_id, flow_version_id, key';
/** Only timers of the version that runs have a schedule. */
const isTimer = (row: string) => `${row}.type = 'timer' AND ${row}.version = 'default' AND ${row}.key IS NOT NULL`;

/** Adds the schedules of timers. Triggers on the index of workflow triggers keep them current for all writers. */
export class FlowSchedules1795670000000 implements MigrationInterface {
  name = 'FlowSchedules1795670000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await inTransaction(queryRunner, this.name, async () => {
      await queryRunner.query(`CREATE TABLE IF NOT EXISTS flow_schedules (
        application_id text NOT NULL,
        flow_id text NOT NULL,
        flow_version_id text,
        key text NOT NULL,
        specs jsonb,
        due_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
      // Keys may be longer than an index entry allows.
      await queryRunner.query(
        'CREATE UNIQUE INDEX IF NOT EXISTS flow_schedules_of_flow ON flow_schedules (flow_id, md5(key))',
      );
      await queryRunner.query('CREATE INDEX IF NOT EXISTS flow_schedules_due ON flow_schedules (due_at)');
      await queryRunner.query(`CREATE OR REPLACE FUNCTION add_flow_schedule() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO flow_schedules (${COLUMNS}) VALUES (NEW.application_id, NEW.flow_id, NEW.flow_version_id, NEW.key)
        ON CONFLICT DO NOTHING; RETURN NULL; END $$`);
      await queryRunner.query(`CREATE OR REPLACE FUNCTION drop_flow_schedule() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        DELETE FROM flow_schedules WHERE flow_id = OLD.flow_id AND md5(key) = md5(OLD.key); RETURN NULL; END $$`);
      await queryRunner.query(`CREATE OR REPLACE TRIGGER add_flow_schedule AFTER INSERT ON flow_triggers
        FOR EACH ROW WHEN (${isTimer('NEW')}) EXECUTE FUNCTION add_flow_schedule()`);
      await queryRunner.query(`CREATE OR REPLACE TRIGGER drop_flow_schedule AFTER DELETE ON flow_triggers
        FOR EACH ROW WHEN (${isTimer('OLD')}) EXECUTE FUNCTION drop_flow_schedule()`);
    });
    // Backfills the timers of existing workflows. Timers saved during the backfill already have a schedule, which the
    // triggers added. If a timer is deleted during the backfill, its schedule can remain, but never fires.
    await queryRunner.query(`INSERT INTO flow_schedules (${COLUMNS})
      SELECT application_id, flow_id, flow_version_id, key FROM flow_triggers t WHERE ${isTimer('t')}
      ON CONFLICT DO NOTHING`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of ['add_flow_schedule', 'drop_flow_schedule'])
      await queryRunner.query(`DROP FUNCTION ${name}() CASCADE`);
    await queryRunner.query('DROP TABLE flow_schedules');
  }
}
