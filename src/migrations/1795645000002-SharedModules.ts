import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inTransaction, replaceIndex } from '../platform/database/migrate.js';

/** Devices with the same workflows share one compilation. */
export class SharedModules1795645000002 implements MigrationInterface {
  name = 'SharedModules1795645000002';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await inTransaction(queryRunner, this.name, async () => {
      await queryRunner.query('ALTER TABLE embedded_modules ADD COLUMN IF NOT EXISTS workflows text');
    });
    await replaceIndex(
      queryRunner,
      'embedded_modules_compiling',
      `embedded_modules (application_id, workflows, recipe) WHERE status = 'wanted' AND attempts > 0`,
    );
    await replaceIndex(queryRunner, 'embedded_modules_by_content', 'embedded_modules (content)');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX embedded_modules_by_content');
    await queryRunner.query('DROP INDEX embedded_modules_compiling');
    await queryRunner.query('ALTER TABLE embedded_modules DROP COLUMN workflows');
  }
}
