import type { MigrationInterface, QueryRunner } from 'typeorm';

const DUE = (device: string) => `now() + coalesce(${device}.system_interval, 60) * interval '1 second'`;
const fn = (name: string, body: string) =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`;
const addSql = (devices: string) =>
  `INSERT INTO device_systems (device_id, due_at) SELECT d.id, ${DUE('d')} FROM ${devices} d WHERE d.device_class = 'system';`;

/** Adds the time of the next report of each system, which aggregates the reports of the devices below it. */
export class DeviceSystems1795540000001 implements MigrationInterface {
  name = 'DeviceSystems1795540000001';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE device_systems (
      device_id text PRIMARY KEY REFERENCES devices (id) ON DELETE CASCADE,
      due_at timestamptz NOT NULL,
      seen bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 70)`);
    await queryRunner.query('CREATE INDEX device_systems_by_due ON device_systems (due_at)');
    await queryRunner.query(fn('add_device_systems', addSql('come')));
    await queryRunner.query(`CREATE TRIGGER add_device_systems AFTER INSERT ON devices
      REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION add_device_systems()`);
    await queryRunner.query(
      fn(
        'change_device_systems',
        `UPDATE device_systems s SET due_at = least(s.due_at, ${DUE('NEW')}) WHERE s.device_id = NEW.id;`,
      ),
    );
    await queryRunner.query(`CREATE TRIGGER change_device_systems AFTER UPDATE ON devices FOR EACH ROW
      WHEN (NEW.system_interval <> OLD.system_interval) EXECUTE FUNCTION change_device_systems()`);
    await queryRunner.query(addSql('devices'));
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION add_device_systems() CASCADE');
    await queryRunner.query('DROP FUNCTION change_device_systems() CASCADE');
    await queryRunner.query('DROP TABLE device_systems');
  }
}
