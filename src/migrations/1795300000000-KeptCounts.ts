import type { MigrationInterface, QueryRunner } from 'typeorm';
import { COUNT_SCHEMA, DROP_COUNT_SCHEMA } from '../platform/counts/count-schema.js';
import {
  countedSql,
  counterName,
  countTriggers,
  ownerSql,
  type CountedRows,
} from '../platform/counts/count-triggers.js';
import { addNotNull, inTransaction, replaceIndex, withSnapshot } from '../platform/database/migrate.js';

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

/** Counts the existing rows. The table is dropped with the connection's session or by the next attempt. */
const COUNT = `CREATE TEMPORARY TABLE counted_rows AS
  SELECT c.holder_id, c.kind, sum(c.n) AS n FROM (${COUNTED.map((rows) => countedSql(rows, rows.table)).join(' UNION ALL ')}) c
  WHERE c.holder_id IS NOT NULL GROUP BY c.holder_id, c.kind`;

/** Adds the counted rows to the stored counts of their holders, and of the owners that the holders have now. */
const FILL = `WITH rolled AS (
    SELECT holder_id, kind, n FROM counted_rows
    UNION ALL SELECT ${ownerSql('c.holder_id')}, c.kind, c.n FROM counted_rows c),
  summed AS (SELECT holder_id, kind, sum(n) AS n FROM rolled WHERE holder_id IS NOT NULL GROUP BY holder_id, kind)
  INSERT INTO kept_counts AS k (holder_id, owner_id, counts)
  SELECT s.holder_id, ${ownerSql('s.holder_id')}, jsonb_object_agg(s.kind, s.n) FROM summed s GROUP BY s.holder_id
  ON CONFLICT (holder_id) DO UPDATE SET counts = add_counts(k.counts, excluded.counts)`;

/** Fills a batch of the new column. */
const FILL_STORAGE = `WITH filled AS (
    UPDATE flow_storage s SET application_id = f.application_id FROM flows f
    WHERE f.id = s.flow_id AND s.ctid = ANY(ARRAY(SELECT ctid FROM flow_storage WHERE application_id IS NULL LIMIT 20000))
    RETURNING 1)
  SELECT count(*)::int AS n FROM filled`;
const STORAGE_KEY = 'FK_a90f7c89e3537e1ccf01b17bf21';

/** Adds counts per holder, updated by triggers, and the application of values that workflows store. */
export class KeptCounts1795300000000 implements MigrationInterface {
  name = 'KeptCounts1795300000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await this.addApplications(queryRunner);
    await withSnapshot(
      queryRunner,
      this.name,
      () => this.make(queryRunner),
      async (snapshot) => {
        await snapshot.query(COUNT);
        await snapshot.commitTransaction();
        await inTransaction(snapshot, this.name, async () => {
          // No application changes its owner while its counts are added to those of the owner.
          await snapshot.query('LOCK TABLE applications IN SHARE MODE');
          await snapshot.query(FILL);
          await snapshot.query('DROP TABLE counted_rows');
        });
      },
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await this.drop(queryRunner);
    await queryRunner.query(`ALTER TABLE "flow_storage" DROP CONSTRAINT "${STORAGE_KEY}"`);
    await queryRunner.query('DROP INDEX "public"."flow_storage_by_application"');
    await queryRunner.query('ALTER TABLE "flow_storage" DROP COLUMN "application_id"');
  }

  private async addApplications(queryRunner: QueryRunner): Promise<void> {
    await inTransaction(queryRunner, this.name, async () => {
      await queryRunner.query('ALTER TABLE "flow_storage" ADD COLUMN IF NOT EXISTS "application_id" text');
    });
    for (let changed = 1; changed > 0;) {
      const [{ n }] = (await queryRunner.query(FILL_STORAGE)) as [{ n: number }];
      changed = n;
    }
    await addNotNull(queryRunner, this.name, 'flow_storage', 'application_id');
    await replaceIndex(queryRunner, 'flow_storage_by_application', 'flow_storage (application_id)');
    await inTransaction(queryRunner, this.name, async () => {
      await queryRunner.query(`ALTER TABLE "flow_storage" DROP CONSTRAINT IF EXISTS "${STORAGE_KEY}"`);
      await queryRunner.query(`ALTER TABLE "flow_storage" ADD CONSTRAINT "${STORAGE_KEY}"
        FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID`);
    });
    await queryRunner.query(`ALTER TABLE "flow_storage" VALIDATE CONSTRAINT "${STORAGE_KEY}"`);
  }

  /** Starts over if an earlier attempt was interrupted. */
  private async make(queryRunner: QueryRunner): Promise<void> {
    if (await queryRunner.hasTable('kept_counts')) await this.drop(queryRunner);
    for (const statement of [...COUNT_SCHEMA, ...COUNTED.flatMap(countTriggers)])
      await queryRunner.query(statement);
  }

  private async drop(queryRunner: QueryRunner): Promise<void> {
    for (const rows of COUNTED) await queryRunner.query(`DROP FUNCTION ${counterName(rows)} CASCADE`);
    for (const statement of DROP_COUNT_SCHEMA) await queryRunner.query(statement);
  }
}
