import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables of the engine, with their foreign key to applications. */
const WRITTEN = {
  flow_runs: 'FK_00124fdce93870cc8d82033a095',
  flow_run_payloads: 'FK_4a8ab6e9ff1da677e1446980fca',
  flow_run_traces: 'FK_8b08d85c6275a2681e210487862',
} as const;

const SUM = `INSERT INTO flow_run_deltas (flow_id, until, flow_version_id, runs, failed_runs, paths_completed, paths_failed, wall_time)
  SELECT r.flow_id, date_trunc('minute', r.requested_at + interval '59.999 seconds'), coalesce(r.flow_version_id, ''),
    sum(1), sum((r.paths_failed > 0)::int), sum(r.paths_completed), sum(r.paths_failed), sum(r.wall_time)
  FROM come r GROUP BY 1, 2, 3;`;

/**
 * Makes runs cheaper to store. Small triggers are part of them. The statement that stores them also adds them up, instead
 * of a trigger. They do not lock the row of their application, which a foreign key did for each of them: removal of
 * applications and retention delete their rows.
 */
export class CheaperRuns1795695000000 implements MigrationInterface {
  name = 'CheaperRuns1795695000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['run_inbox', 'flow_runs'])
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN trigger json, ALTER COLUMN payload_id DROP NOT NULL`);
    for (const [table, key] of Object.entries(WRITTEN))
      await queryRunner.query(`ALTER TABLE ${table} DROP CONSTRAINT "${key}"`);
    await queryRunner.query('DROP FUNCTION sum_flow_runs CASCADE');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['run_inbox', 'flow_runs']) {
      await queryRunner.query(`INSERT INTO flow_run_payloads (id, application_id, trigger)
        SELECT id, application_id, trigger FROM ${table} WHERE trigger IS NOT NULL`);
      await queryRunner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      await queryRunner.query(`UPDATE ${table} SET payload_id = coalesce(payload_id, id)`);
      await queryRunner.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN trigger, ALTER COLUMN payload_id SET NOT NULL`);
    }
    for (const [table, key] of Object.entries(WRITTEN)) {
      await queryRunner.query(
        `DELETE FROM ${table} r WHERE NOT EXISTS (SELECT FROM applications a WHERE a.id = r.application_id)`,
      );
      await queryRunner.query(`ALTER TABLE ${table}
        ADD CONSTRAINT "${key}" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
    }
    await queryRunner.query(
      `CREATE FUNCTION sum_flow_runs() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${SUM} RETURN NULL; END $$`,
    );
    await queryRunner.query(`CREATE TRIGGER sum_flow_runs_insert AFTER INSERT ON flow_runs
      REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_flow_runs()`);
  }
}
