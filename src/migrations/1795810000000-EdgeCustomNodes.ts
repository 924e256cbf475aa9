import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inTransaction } from '../platform/database/migrate.js';

/** Adds custom nodes that are on gateways because of the workflows there, for existing deployments too. */
export class EdgeCustomNodes1795810000000 implements MigrationInterface {
  name = 'EdgeCustomNodes1795810000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await inTransaction(queryRunner, this.name, async () => {
      await queryRunner.query(
        'ALTER TABLE edge_deployments ADD COLUMN IF NOT EXISTS is_dependency boolean NOT NULL DEFAULT false',
      );
      await queryRunner.query(`CREATE OR REPLACE FUNCTION follow_default_versions() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO deployment_tasks (application_id, kind, change)
        SELECT NEW.application_id, 'edge', jsonb_build_object('type', 'content', 'flowId', NEW.id, 'version', NULL)
        WHERE EXISTS (SELECT FROM edge_deployments p WHERE p.application_id = NEW.application_id AND p.flow_id = NEW.id
            AND p.desired_version IS NOT NULL)
          OR EXISTS (SELECT FROM deployment_tasks w WHERE w.kind = 'edge' AND w.application_id = NEW.application_id);
        RETURN NULL; END $$`);
      await queryRunner.query(`CREATE OR REPLACE TRIGGER follow_default_versions AFTER UPDATE OF default_version_id ON flows
        FOR EACH ROW WHEN (NEW.flow_class = 'customNode' AND NEW.default_version_id IS DISTINCT FROM OLD.default_version_id)
        EXECUTE FUNCTION follow_default_versions()`);
    });
    // A repeated task changes nothing else.
    await queryRunner.query(`INSERT INTO deployment_tasks (application_id, kind, change)
      SELECT DISTINCT p.application_id, 'edge', jsonb_build_object('type', 'content', 'flowId', p.flow_id, 'version', NULL)
      FROM edge_deployments p WHERE p.desired_version IS NOT NULL`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION follow_default_versions CASCADE');
    await queryRunner.query('ALTER TABLE edge_deployments DROP COLUMN is_dependency');
  }
}
