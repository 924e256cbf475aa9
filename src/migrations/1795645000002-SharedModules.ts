import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Devices with the same workflows share one compilation. */
export class SharedModules1795645000002 implements MigrationInterface {
  name = 'SharedModules1795645000002';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE embedded_modules ADD COLUMN workflows text');
    await queryRunner.query(
      `CREATE INDEX embedded_modules_compiling ON embedded_modules (application_id, workflows, recipe)
        WHERE status = 'wanted' AND attempts > 0`,
    );
    await queryRunner.query('CREATE INDEX embedded_modules_by_content ON embedded_modules (content)');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX embedded_modules_by_content');
    await queryRunner.query('DROP INDEX embedded_modules_compiling');
    await queryRunner.query('ALTER TABLE embedded_modules DROP COLUMN workflows');
  }
}
