import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inTransaction } from '../platform/database/migrate.js';

const forDevices = (row: string) =>
  `jsonb_path_query_array(${row}.globals, '$[*] ? (!(@.cloudOnly == true))')`;
const followGlobals = (condition: string) => `CREATE TRIGGER follow_globals AFTER UPDATE OF globals ON applications
  FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION follow_globals()`;

/**
 * Changes of globals that devices do not get no longer change deployments. Devices that run workflows with such globals
 * get a new bundle, because these globals were part of it.
 */
export class CloudOnlyGlobals1795645000000 implements MigrationInterface {
  name = 'CloudOnlyGlobals1795645000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await inTransaction(queryRunner, this.name, async () => {
      await queryRunner.query('DROP TRIGGER follow_globals ON applications');
      await queryRunner.query(followGlobals(`${forDevices('NEW')} IS DISTINCT FROM ${forDevices('OLD')}`));
    });
    // A repeated task changes nothing.
    for (const [kind, table] of [
      ['embedded', 'embedded_deployment_flows'],
      ['edge', 'edge_deployments'],
    ])
      await queryRunner.query(`INSERT INTO deployment_tasks (application_id, kind, change)
        SELECT a.id, '${kind}', '{"type":"globals"}' FROM applications a
        WHERE a.globals @> '[{"cloudOnly":true}]'
          AND EXISTS (SELECT FROM ${table} p WHERE p.application_id = a.id AND p.desired_version IS NOT NULL)`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER follow_globals ON applications');
    await queryRunner.query(followGlobals('NEW.globals IS DISTINCT FROM OLD.globals'));
  }
}
