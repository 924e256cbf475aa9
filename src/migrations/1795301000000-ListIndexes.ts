import type { MigrationInterface, QueryRunner } from 'typeorm';
import { replaceIndex } from '../platform/database/migrate.js';

/** Name, table, columns and, for partial indexes, the condition. */
type Index = readonly [name: string, table: string, columns: string, where?: string];

const ADDED: readonly Index[] = [
  ['api_tokens_by_owner_change', 'api_tokens', 'owner_id, last_updated, id'],
  ['api_tokens_by_owner_expiration', 'api_tokens', 'owner_id, expiration_date, id'],
  ['api_tokens_by_owner_status', 'api_tokens', 'owner_id, status, id'],
  ['api_tokens_by_owner', 'api_tokens', 'owner_id, id'],
  ['applications_of_owner_by_name', 'applications', 'owner_id, name, id', 'deleted_at IS NULL'],
  ['applications_of_owner_by_creation', 'applications', 'owner_id, creation_date, id', 'deleted_at IS NULL'],
  ['applications_of_owner_by_change', 'applications', 'owner_id, last_updated, id', 'deleted_at IS NULL'],
  ['applications_by_owner', 'applications', 'owner_id, id'],
  ['audit_logs_by_status', 'audit_logs', 'org_id, response_status, id'],
  ['audit_logs_by_actor', 'audit_logs', 'org_id, actor_name, id'],
  ['instance_audit_logs_by_status', 'instance_audit_logs', 'instance_id, response_status, id'],
  ['instance_audit_logs_by_actor', 'instance_audit_logs', 'instance_id, actor_name, id'],
  ['flow_versions_by_flow', 'flow_versions', 'flow_id, id'],
  ['instance_custom_nodes_by_instance', 'instance_custom_nodes', 'instance_id, id'],
  ['webhooks_by_application', 'webhooks', 'application_id, id'],
  ['orgs_of_instance_by_name', 'orgs', 'instance_id, name, id', 'deleted_at IS NULL'],
  ['orgs_of_instance_by_creation', 'orgs', 'instance_id, creation_date, id', 'deleted_at IS NULL'],
  ['orgs_of_instance_by_change', 'orgs', 'instance_id, last_updated, id', 'deleted_at IS NULL'],
];

/** Replaces an index of this name without the ID. */
const OF_INSTANCE: Index = ['orgs_by_instance', 'orgs', 'instance_id, id'];

/** Indexes that the new ones make redundant. */
const REMOVED: readonly Index[] = [
  ['applications_by_owner_name', 'applications', 'owner_id, name, id'],
  ['applications_by_owner_creation', 'applications', 'owner_id, creation_date, id'],
  ['applications_by_owner_change', 'applications', 'owner_id, last_updated, id'],
  ['orgs_by_name', 'orgs', 'name, id'],
  ['audit_logs_by_age', 'audit_logs', 'creation_date'],
  ['instance_audit_logs_by_age', 'instance_audit_logs', 'creation_date'],
];

const create = ([name, table, columns, where]: Index): string =>
  `CREATE INDEX "${name}" ON "${table}" (${columns})${where ? ` WHERE ${where}` : ''}`;
const drop = ([name]: Index): string => `DROP INDEX "public"."${name}"`;

/** Adds an index for each sort order of each list. */
export class ListIndexes1795301000000 implements MigrationInterface {
  name = 'ListIndexes1795301000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, table, columns, where] of [...ADDED, OF_INSTANCE])
      await replaceIndex(queryRunner, name, `"${table}" (${columns})${where ? ` WHERE ${where}` : ''}`);
    for (const [name] of REMOVED)
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS "public"."${name}"`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "public"."orgs_by_instance"');
    for (const statement of [...ADDED.map(drop), ...REMOVED.map(create)]) await queryRunner.query(statement);
    await queryRunner.query(create(['orgs_by_instance', 'orgs', 'instance_id']));
  }
}
