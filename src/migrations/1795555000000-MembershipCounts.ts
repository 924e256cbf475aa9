import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, type CountedRows } from '../platform/counts/count-triggers.js';

const COUNTED: readonly CountedRows[] = [
  {
    table: 'org_members',
    holder: 'org_id',
    amounts: [{ kind: `'memberCount'`, amount: '1' }],
    where: '(SELECT u.permanent_deletion IS NULL FROM users u WHERE u.id = r.user_id)',
    dependsOn: { table: 'users', column: 'user_id' },
  },
  {
    table: 'org_members',
    name: 'orgs_of_users',
    holder: 'user_id',
    amounts: [{ kind: `'orgCount'`, amount: '1' }],
    where: '(SELECT o.deleted_at IS NULL FROM orgs o WHERE o.id = r.org_id)',
    dependsOn: { table: 'orgs', column: 'org_id' },
  },
];

/** Keeps membership counts correct if memberships change while the account or organization is being deleted. */
export class MembershipCounts1795555000000 implements MigrationInterface {
  name = 'MembershipCounts1795555000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    for (const rows of COUNTED) await countAnew(queryRunner, rows);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const { dependsOn: _, ...rows } of COUNTED) await countAnew(queryRunner, rows);
  }
}

/** Recreates the function and the triggers of counted rows. */
async function countAnew(queryRunner: QueryRunner, rows: CountedRows): Promise<void> {
  await queryRunner.query(`DROP FUNCTION ${counterName(rows)} CASCADE`);
  for (const statement of countTriggers(rows)) await queryRunner.query(statement);
}
