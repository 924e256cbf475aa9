import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, type CountedRows } from '../platform/counts/count-triggers.js';

const counted = (table: string, count: string): CountedRows => ({
  table,
  holder: 'application_id',
  ofApplications: true,
  amounts: [{ kind: `'${count}'`, amount: '1' }],
});
const USERS = counted('experience_users', 'experienceUserCount');
const GROUPS = counted('experience_groups', 'experienceGroupCount');

const INDEXES: Readonly<Record<string, string>> = {
  by_id: '"application_id", "id"',
  by_creation: '"application_id", "creation_date", "id"',
  by_change: '"application_id", "last_updated", "id"',
};
const OF_USERS: Readonly<Record<string, string>> = {
  ...INDEXES,
  by_email: '"application_id", "email", "id"',
  by_first_name: '"application_id", "first_name", "id"',
  by_last_name: '"application_id", "last_name", "id"',
  by_login: '"application_id", "last_login", "id"',
};
const OF_GROUPS: Readonly<Record<string, string>> = {
  ...INDEXES,
  by_name: '"application_id", "name", "id"',
};
const COMMON = `
      "id" text NOT NULL,
      "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "application_id" text NOT NULL,`;

const ofApplication = (table: string, name: string) => `ALTER TABLE "${table}" ADD CONSTRAINT "${name}"
  FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`;

/** Tables linked with groups, by the column that refers to them. */
const LINKS = [
  { table: 'experience_group_users', column: 'user_id', references: 'experience_users' },
  { table: 'experience_group_endpoints', column: 'endpoint_id', references: 'experience_endpoints' },
  { table: 'experience_group_devices', column: 'device_id', references: 'devices' },
];

/** Adds experience users, experience groups and their links. */
export class ExperienceGroups1795570000000 implements MigrationInterface {
  name = 'ExperienceGroups1795570000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "experience_users" (${COMMON}
      "email" text NOT NULL,
      "first_name" text,
      "last_name" text,
      "user_tags" jsonb NOT NULL,
      "last_login" TIMESTAMP(3) WITH TIME ZONE,
      "password_last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "token_cutoff" TIMESTAMP(3) WITH TIME ZONE,
      "password_hash" text NOT NULL,
      CONSTRAINT "PK_0d8d28293c340e27c7a9b195a78" PRIMARY KEY ("id")
    )`);
    await queryRunner.query(`CREATE TABLE "experience_groups" (${COMMON}
      "name" text NOT NULL,
      "description" text,
      "parent_id" text,
      "group_tags" jsonb NOT NULL,
      "device_tags" jsonb NOT NULL,
      "device_query_json" text,
      CONSTRAINT "PK_b8c6315b6263428615eb944eaa7" PRIMARY KEY ("id")
    )`);
    for (const [index, columns] of Object.entries(OF_USERS))
      await queryRunner.query(`CREATE INDEX "experience_users_${index}" ON "experience_users" (${columns})`);
    for (const [index, columns] of Object.entries(OF_GROUPS))
      await queryRunner.query(`CREATE INDEX "experience_groups_${index}" ON "experience_groups" (${columns})`);
    await queryRunner.query(
      'CREATE UNIQUE INDEX "experience_users_email" ON "experience_users" ("application_id", "email")',
    );
    await queryRunner.query(
      'CREATE INDEX "experience_groups_below" ON "experience_groups" ("parent_id", "id") WHERE parent_id IS NOT NULL',
    );
    await queryRunner.query(ofApplication('experience_users', 'FK_9d5d7c6b996b2366973c6514b60'));
    await queryRunner.query(ofApplication('experience_groups', 'FK_1daa101826cef2367c2be3fa435'));
    await queryRunner.query(`ALTER TABLE "experience_groups" ADD CONSTRAINT "FK_4d4957f60918f9b708dabe525ad"
      FOREIGN KEY ("parent_id") REFERENCES "experience_groups"("id") ON DELETE SET NULL ON UPDATE NO ACTION`);
    for (const { table, column, references } of LINKS) {
      await queryRunner.query(`CREATE TABLE ${table} (
        group_id text NOT NULL REFERENCES experience_groups (id) ON DELETE CASCADE,
        ${column} text NOT NULL REFERENCES ${references} (id) ON DELETE CASCADE,
        PRIMARY KEY (group_id, ${column})
      )`);
      await queryRunner.query(`CREATE INDEX ${table}_of ON ${table} (${column}, group_id)`);
    }
    for (const counts of [USERS, GROUPS])
      for (const statement of countTriggers(counts)) await queryRunner.query(statement);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const { table } of LINKS) await queryRunner.query(`DROP TABLE ${table}`);
    for (const counts of [GROUPS, USERS]) {
      await queryRunner.query(`DROP FUNCTION ${counterName(counts)} CASCADE`);
      await queryRunner.query(`DROP TABLE "${counts.table}"`);
    }
  }
}
