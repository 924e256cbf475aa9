import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes deleted devices by deletion time, across all applications. */
export class DevicesGone1795405000001 implements MigrationInterface {
  name = 'DevicesGone1795405000001';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX "devices_gone" ON "devices" ("deleted_at") WHERE deleted_at IS NOT NULL',
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "devices_gone"');
  }
}
