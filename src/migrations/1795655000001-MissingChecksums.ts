import type { MigrationInterface, QueryRunner } from 'typeorm';
import { replaceIndex } from '../platform/database/migrate.js';

const TABLES = ['files', 'private_files'];

/** Finds the contents whose MD5 is not known. */
export class MissingChecksums1795655000001 implements MigrationInterface {
  name = 'MissingChecksums1795655000001';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await replaceIndex(
        queryRunner,
        `${table}_unhashed`,
        `${table} (id) WHERE content_key IS NOT NULL AND coalesce(s3etag, '') !~ '^[0-9a-f]{32}$'`,
      );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`DROP INDEX ${table}_unhashed`);
  }
}
