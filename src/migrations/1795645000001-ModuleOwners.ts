import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records the owner of waiting modules, because owners take turns and not applications. */
export class ModuleOwners1795645000001 implements MigrationInterface {
  name = 'ModuleOwners1795645000001';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE embedded_modules ADD COLUMN owner_id text');
    await queryRunner.query(
      'UPDATE embedded_modules m SET owner_id = a.owner_id FROM applications a WHERE a.id = m.application_id',
    );
    await queryRunner.query('ALTER TABLE embedded_modules ALTER COLUMN owner_id SET NOT NULL');
    await queryRunner.query('DROP INDEX embedded_modules_wanted');
    await queryRunner.query(
      `CREATE INDEX embedded_modules_wanted ON embedded_modules (owner_id, due_at) WHERE status = 'wanted'`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX embedded_modules_wanted');
    await queryRunner.query(
      `CREATE INDEX embedded_modules_wanted ON embedded_modules (application_id, due_at) WHERE status = 'wanted'`,
    );
    await queryRunner.query('ALTER TABLE embedded_modules DROP COLUMN owner_id');
  }
}
