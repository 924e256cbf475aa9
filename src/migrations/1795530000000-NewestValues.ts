import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inBatches, inTransaction } from '../platform/database/migrate.js';

/** Number of states that one statement changes. They are large, and devices wait for them. */
const BATCH = 2_000;

/** Records the attributes that the newest values of a device belong to, so that a report can replace all of them. */
export class NewestValues1795530000000 implements MigrationInterface {
  name = 'NewestValues1795530000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await inTransaction(queryRunner, this.name, async () => {
      await queryRunner.query(`ALTER TABLE device_states ADD COLUMN IF NOT EXISTS newest bigint,
        ADD COLUMN IF NOT EXISTS attributes integer[] NOT NULL DEFAULT '{}'`);
    });
    await inBatches(
      queryRunner,
      'device_states',
      (which) => `UPDATE device_states r SET attributes = ARRAY(SELECT k.key::int FROM jsonb_object_keys(r.last_values) k (key))
        WHERE ${which}`,
      BATCH,
      'device_id',
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE device_states DROP COLUMN newest, DROP COLUMN attributes');
  }
}
