import type { MigrationInterface, QueryRunner } from 'typeorm';
import { COUNT_SCHEMA, DROP_COUNT_SCHEMA } from '../platform/counts/count-schema.js';
import {
  countedSql,
  counterName,
  countTriggers,
  ownerSql,
  type CountedRows,
} from '../platform/counts/count-triggers.js';

const one = (kind: string) => [{ kind: `'${kind}'`, amount: '1' }];

/** Counts at the time of this migration. Later migrations add the counts of their own tables. */
const COUNTED: readonly CountedRows[] = [
  {
    table: 'applications',
    holder: 'owner_id',
    amounts: one('appCount'),
    where: 'r.deleted_at IS NULL',
    moved: true,
  },
  { table: 'webhooks', holder: 'application_id', ofApplications: true, amounts: one('webhookCount') },
  { table: 'application_keys', holder: 'application_id', ofApplications: true, amounts: one('keyCount') },
  {
    table: 'flows',
    holder: 'application_id',
    ofApplications: true,
    amounts: [{ kind: `'flowCount:' || r.flow_class`, amount: '1' }],
  },
  { table: 'flow_versions', holder: 'flow_id', amounts: one('versionCount') },
  {
    table: 'flow_storage',
    holder: 'application_id',
    ofApplications: true,
    amounts: [
      { kind: `'storageStats.count'`, amount: '1' },
      { kind: `'storageStats.size'`, amount: 'octet_length(r.key) + octet_length(r.value::text)' },
    ],
    updated: true,
  },
  {
    table: 'api_tokens',
    holder: 'owner_id',
    ofApplications: true,
    amounts: [
      {
        kind: `CASE r.owner_type WHEN 'user' THEN 'userApiTokenCount' ELSE 'apiTokenCount' END`,
        amount: '1',
      },
    ],
  },
  {
    table: 'org_members',
    holder: 'org_id',
    amounts: one('memberCount'),
    where: '(SELECT u.permanent_deletion IS NULL FROM users u WHERE u.id = r.user_id)',
  },
  {
    table: 'org_members',
    name: 'orgs_of_users',
    holder: 'user_id',
    amounts: one('orgCount'),
    where: '(SELECT o.deleted_at IS NULL FROM orgs o WHERE o.id = r.org_id)',
  },
  { table: 'instance_members', holder: 'user_id', amounts: one('instanceCount') },
  { table: 'orgs', holder: 'instance_id', amounts: one('orgCount'), where: 'r.deleted_at IS NULL' },
  { table: 'users', holder: 'instance_id', amounts: one('userCount'), where: 'r.permanent_deletion IS NULL' },
  { table: 'instance_custom_nodes', holder: 'instance_id', amounts: one('customNodeCount') },
  { table: 'audit_logs', holder: 'org_id', amounts: one('auditLogCount') },
  { table: 'instance_audit_logs', holder: 'instance_id', amounts: one('auditLogCount') },
];

/** Fills the stored counts from the existing rows. */
const FILL = `WITH counted AS (
    SELECT c.holder_id, c.kind, sum(c.n) AS n FROM (${COUNTED.map((rows) => countedSql(rows, rows.table)).join(' UNION ALL ')}) c
    GROUP BY c.holder_id, c.kind),
  rolled AS (
    SELECT holder_id, kind, n FROM counted
    UNION ALL SELECT ${ownerSql('counted.holder_id')}, kind, n FROM counted),
  summed AS (SELECT holder_id, kind, sum(n) AS n FROM rolled WHERE holder_id IS NOT NULL GROUP BY holder_id, kind)
  INSERT INTO kept_counts (holder_id, owner_id, counts)
  SELECT s.holder_id, ${ownerSql('s.holder_id')}, jsonb_object_agg(s.kind, s.n) FROM summed s GROUP BY s.holder_id`;

/** Adds counts per holder, updated by triggers, and the application of values that workflows store. */
export class KeptCounts1795300000000 implements MigrationInterface {
  name = 'KeptCounts1795300000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "flow_storage" ADD "application_id" text');
    await queryRunner.query(
      'UPDATE flow_storage s SET application_id = f.application_id FROM flows f WHERE f.id = s.flow_id',
    );
    await queryRunner.query('ALTER TABLE "flow_storage" ALTER COLUMN "application_id" SET NOT NULL');
    await queryRunner.query(
      'CREATE INDEX "flow_storage_by_application" ON "flow_storage" ("application_id")',
    );
    await queryRunner.query(`
      ALTER TABLE "flow_storage"
      ADD CONSTRAINT "FK_a90f7c89e3537e1ccf01b17bf21" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
    for (const statement of [...COUNT_SCHEMA, ...COUNTED.flatMap(countTriggers)])
      await queryRunner.query(statement);
    await queryRunner.query(FILL);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const rows of COUNTED) await queryRunner.query(`DROP FUNCTION ${counterName(rows)} CASCADE`);
    for (const statement of DROP_COUNT_SCHEMA) await queryRunner.query(statement);
    await queryRunner.query('ALTER TABLE "flow_storage" DROP CONSTRAINT "FK_a90f7c89e3537e1ccf01b17bf21"');
    await queryRunner.query('DROP INDEX "public"."flow_storage_by_application"');
    await queryRunner.query('ALTER TABLE "flow_storage" DROP COLUMN "application_id"');
  }
}
