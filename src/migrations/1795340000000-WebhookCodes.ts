import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Verification codes of webhooks are sealed, which the platform does with its key: those that are there, once it runs. */
export class WebhookCodes1795340000000 implements MigrationInterface {
  name = 'WebhookCodes1795340000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhooks ADD verification_code_sealed text');
    await queryRunner.query(
      'CREATE INDEX webhooks_unsealed ON webhooks (id) WHERE verification_code IS NOT NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX webhooks_unsealed');
    await queryRunner.query('ALTER TABLE webhooks DROP COLUMN verification_code_sealed');
  }
}
