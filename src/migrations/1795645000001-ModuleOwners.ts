import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addNotNull, inTransaction, replaceIndex } from '../platform/database/migrate.js';

/** Fills a batch of rows. */
const FILL = `WITH filled AS (
    UPDATE embedded_modules m SET owner_id = a.owner_id FROM applications a
    WHERE a.id = m.application_id AND m.ctid = ANY(ARRAY(SELECT ctid FROM embedded_modules WHERE owner_id IS NULL LIMIT 20000))
    RETURNING 1)
  SELECT count(*)::int AS n FROM filled`;

/** Records the owner of waiting modules, because owners take turns and not applications. */
export class ModuleOwners1795645000001 implements MigrationInterface {
  name = 'ModuleOwners1795645000001';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await inTransaction(queryRunner, this.name, async () => {
      await queryRunner.query('ALTER TABLE embedded_modules ADD COLUMN IF NOT EXISTS owner_id text');
    });
    for (let changed = 1; changed > 0;) {
      const [{ n }] = (await queryRunner.query(FILL)) as [{ n: number }];
      changed = n;
    }
    await addNotNull(queryRunner, this.name, 'embedded_modules', 'owner_id');
    await replaceIndex(
      queryRunner,
      'embedded_modules_wanted',
      `embedded_modules (owner_id, due_at) WHERE status = 'wanted'`,
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
