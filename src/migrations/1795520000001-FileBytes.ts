import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, recordDeltasSql, type CountedRows } from '../platform/counts/count-triggers.js';

const TREES = [
  { table: 'files', count: 'fileCount', bytes: 'fileBytes' },
  { table: 'private_files', count: 'privateFileCount', bytes: 'privateFileBytes' },
];
const BYTES = 'CASE WHEN r.content_key IS NULL THEN 0 ELSE r.file_size END';

const counted = (table: string, amounts: CountedRows['amounts']): CountedRows => ({
  table,
  holder: 'application_id',
  ofApplications: true,
  amounts,
});

async function keep(queryRunner: QueryRunner, rows: CountedRows): Promise<void> {
  await queryRunner.query(`DROP FUNCTION ${counterName(rows)} CASCADE`);
  for (const statement of countTriggers(rows)) await queryRunner.query(statement);
}

/** Adds the total size of file contents in bytes, counted together with the number of files. */
export class FileBytes1795520000001 implements MigrationInterface {
  name = 'FileBytes1795520000001';

  public async up(queryRunner: QueryRunner): Promise<void> {
    for (const { table, count, bytes } of TREES) {
      const amount = { kind: `'${bytes}'`, amount: BYTES };
      await keep(queryRunner, { ...counted(table, [{ kind: `'${count}'`, amount: '1' }, amount]), updated: true });
      // The table is locked until the migration ends: the triggers are already active, and existing rows are added
      // here.
      await queryRunner.query(recordDeltasSql(counted(table, [amount])));
    }
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const { table, count, bytes } of TREES) {
      await keep(queryRunner, counted(table, [{ kind: `'${count}'`, amount: '1' }]));
      await queryRunner.query(`DELETE FROM count_deltas WHERE kind = '${bytes}'`);
      await queryRunner.query(`UPDATE kept_counts SET counts = counts - '${bytes}' WHERE counts ? '${bytes}'`);
    }
  }
}
