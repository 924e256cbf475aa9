import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes waiting modules by application; applications take turns. */
export class ModuleTurns1795635000001 implements MigrationInterface {
  name = 'ModuleTurns1795635000001';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX embedded_modules_wanted ON embedded_modules (application_id, due_at) WHERE status = 'wanted'`,
    );
    await queryRunner.query('DROP INDEX embedded_modules_due');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX embedded_modules_due ON embedded_modules (due_at) WHERE status = 'wanted'`,
    );
    await queryRunner.query('DROP INDEX embedded_modules_wanted');
  }
}
