import type { MigrationInterface, QueryRunner } from 'typeorm';
import { replaceIndex } from '../platform/database/migrate.js';

/** Adds indexes to search devices by a part of their name within an application. */
export class DeviceNames1795630000000 implements MigrationInterface {
  name = 'DeviceNames1795630000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    // Both extensions are trusted: the database owner, or a role with CREATE on the database, can install them.
    await queryRunner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await queryRunner.query('CREATE EXTENSION IF NOT EXISTS btree_gin');
    await replaceIndex(
      queryRunner,
      'devices_by_part_of_name',
      'devices USING gin (application_id, name gin_trgm_ops) WHERE deleted_at IS NULL',
    );
  }

  /** Keeps the extensions, which other schemas may use by now. */
  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "devices_by_part_of_name"');
  }
}
