import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Encrypts verification codes of webhooks. Existing codes are encrypted by the platform when it starts, because only it
 * has the key.
 */
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
