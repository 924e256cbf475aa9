import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records the attributes that the newest values of a device belong to, so that a report can replace all of them. */
export class NewestValues1795530000000 implements MigrationInterface {
  name = 'NewestValues1795530000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE device_states
      ADD COLUMN newest bigint, ADD COLUMN attributes integer[] NOT NULL DEFAULT '{}'`);
    await queryRunner.query(
      'UPDATE device_states SET attributes = ARRAY(SELECT k.key::int FROM jsonb_object_keys(last_values) k (key))',
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE device_states DROP COLUMN newest, DROP COLUMN attributes');
  }
}
