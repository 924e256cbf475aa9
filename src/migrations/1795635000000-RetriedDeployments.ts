import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds retries of failed deployment changes, for a limited time. */
export class RetriedDeployments1795635000000 implements MigrationInterface {
  name = 'RetriedDeployments1795635000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE deployment_tasks ADD attempts integer NOT NULL DEFAULT 0, ADD due_at timestamptz',
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE deployment_tasks DROP due_at, DROP attempts');
  }
}
