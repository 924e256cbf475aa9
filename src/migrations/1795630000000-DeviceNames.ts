import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds devices by a part of their names, among those of their application alone. */
export class DeviceNames1795630000000 implements MigrationInterface {
  name = 'DeviceNames1795630000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    // Both are trusted: the owner of a database, or whoever may create in it, adds them without being a superuser.
    await queryRunner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await queryRunner.query('CREATE EXTENSION IF NOT EXISTS btree_gin');
    await queryRunner.query(`CREATE INDEX "devices_by_part_of_name" ON "devices"
      USING gin ("application_id", "name" gin_trgm_ops) WHERE deleted_at IS NULL`);
  }

  /** The extensions stay: others may have come to use them. */
  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "devices_by_part_of_name"');
  }
}
