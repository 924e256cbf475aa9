import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inTransaction, replaceIndex } from '../platform/database/migrate.js';

/** Records when domains were verified, and finds the names that a wildcard covers with an index. */
export class DomainParents1795650000000 implements MigrationInterface {
  name = 'DomainParents1795650000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await inTransaction(queryRunner, this.name, async () => {
      await queryRunner.query(
        'ALTER TABLE experience_domains ADD COLUMN IF NOT EXISTS verified_at TIMESTAMP(3) WITH TIME ZONE',
      );
    });
    await replaceIndex(
      queryRunner,
      'experience_domains_by_parent',
      `experience_domains (substr(domain_name, strpos(domain_name, '.') + 1))`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX experience_domains_by_parent');
    await queryRunner.query('ALTER TABLE experience_domains DROP COLUMN verified_at');
  }
}
