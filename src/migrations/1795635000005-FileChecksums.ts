import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inBatches } from '../platform/database/migrate.js';

const TABLES = ['files', 'private_files'];

/** Removes the quotation marks from the checksums of files. */
export class FileChecksums1795635000005 implements MigrationInterface {
  name = 'FileChecksums1795635000005';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await inBatches(
        queryRunner,
        table,
        (which) =>
          `UPDATE ${table} r SET s3etag = replace(r.s3etag, '"', '') WHERE ${which} AND r.s3etag LIKE '"%'`,
      );
  }

  /** Earlier versions do not depend on the quotation marks. */
  public async down(): Promise<void> {}
}
