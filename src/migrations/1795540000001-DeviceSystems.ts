import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inBatches, inTransaction } from '../platform/database/migrate.js';

const DUE = (device: string) => `now() + coalesce(${device}.system_interval, 60) * interval '1 second'`;
const fn = (name: string, body: string) =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`;
const addSql = (devices: string) =>
  `INSERT INTO device_systems (device_id, due_at) SELECT r.id, ${DUE('r')} FROM ${devices} r WHERE r.device_class = 'system'`;

const DROP = [
  'DROP FUNCTION IF EXISTS add_device_systems() CASCADE',
  'DROP FUNCTION IF EXISTS change_device_systems() CASCADE',
  'DROP TABLE IF EXISTS device_systems',
];

/** Adds the time of the next report of each system, which aggregates the reports of the devices below it. */
export class DeviceSystems1795540000001 implements MigrationInterface {
  name = 'DeviceSystems1795540000001';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await inTransaction(queryRunner, this.name, () => this.make(queryRunner));
    await inBatches(
      queryRunner,
      'devices',
      (which) => `${addSql('devices')} AND ${which} ON CONFLICT DO NOTHING`,
    );
  }

  /** Starts over if an earlier attempt was interrupted. */
  private async make(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DROP) await queryRunner.query(statement);
    await queryRunner.query(`CREATE TABLE device_systems (
      device_id text PRIMARY KEY REFERENCES devices (id) ON DELETE CASCADE,
      due_at timestamptz NOT NULL,
      seen bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 70)`);
    await queryRunner.query('CREATE INDEX device_systems_by_due ON device_systems (due_at)');
    await queryRunner.query(fn('add_device_systems', `${addSql('come')};`));
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
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DROP) await queryRunner.query(statement);
  }
}
