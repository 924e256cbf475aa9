import type { MigrationInterface, QueryRunner } from 'typeorm';
import { replaceIndex, withSnapshot } from '../platform/database/migrate.js';

const SUMS = ['runs', 'failed_runs', 'paths_completed', 'paths_failed', 'wall_time'];
const KEY = 'flow_id, until, flow_version_id';

/** Runs of `rows`, grouped by the minute in which they were requested, which ends with its last millisecond. */
const minutesOf = (rows: string, sign: '' | '-') => `SELECT r.flow_id,
    date_trunc('minute', r.requested_at + interval '59.999 seconds') AS until,
    coalesce(r.flow_version_id, '') AS flow_version_id, ${sign}1 AS runs, ${sign}(r.paths_failed > 0)::int AS failed_runs,
    ${sign}r.paths_completed AS paths_completed, ${sign}r.paths_failed AS paths_failed, ${sign}r.wall_time AS wall_time
  FROM ${rows} r`;
const sums = SUMS.map((sum) => `sum(m.${sum}) AS ${sum}`).join(', ');
const note = (minutes: string) => `INSERT INTO flow_run_deltas (${KEY}, ${SUMS.join(', ')})
  SELECT m.flow_id, m.until, m.flow_version_id, ${sums} FROM (${minutes}) m GROUP BY 1, 2, 3
  HAVING ${SUMS.map((sum) => `sum(m.${sum}) <> 0`).join(' OR ')};`;

const INDEXES = {
  flow_runs_by_version: 'flow_runs (flow_id, flow_version_id, requested_at, id)',
  flow_runs_by_device: 'flow_runs (flow_id, device_id, requested_at) WHERE device_id IS NOT NULL',
  flow_runs_errors: `flow_runs (flow_id, requested_at) WHERE errors <> '[]'`,
  flow_runs_errors_by_version: `flow_runs (flow_id, flow_version_id, requested_at) WHERE errors <> '[]'`,
};
const DROP = [
  'DROP FUNCTION IF EXISTS sum_flow_runs CASCADE',
  'DROP TABLE IF EXISTS flow_run_deltas',
  'DROP TABLE IF EXISTS flow_run_sums',
];
const FILL = `INSERT INTO flow_run_sums (application_id, flow_id, minutes, until, flow_version_id, ${SUMS.join(', ')})
  SELECT f.application_id, m.flow_id, s.minutes, s.until, m.flow_version_id, ${sums}
  FROM (${minutesOf('flow_runs', '')}) m JOIN flows f ON f.id = m.flow_id
  CROSS JOIN LATERAL (VALUES (1, m.until), (60, date_trunc('hour', m.until + interval '59 minutes', 'UTC'))) s (minutes, until)
  GROUP BY 1, 2, 3, 4, 5`;

/**
 * Adds sums of runs by minute and by hour, and indexes for look-ups of single runs. Statements that insert or update
 * runs only insert deltas, so that they do not block each other; workers add the deltas to the sums.
 */
export class FlowRunSums1795311000000 implements MigrationInterface {
  name = 'FlowRunSums1795311000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES))
      await replaceIndex(queryRunner, name, definition);
    await withSnapshot(
      queryRunner,
      this.name,
      () => this.make(queryRunner),
      async (snapshot) => void (await snapshot.query(FILL)),
    );
  }

  /** Starts over if an earlier attempt was interrupted. */
  private async make(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DROP) await queryRunner.query(statement);
    await queryRunner.query(`
      CREATE TABLE "flow_run_sums" (
        "flow_id" text NOT NULL,
        "minutes" smallint NOT NULL,
        "until" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
        "flow_version_id" text NOT NULL,
        "application_id" text NOT NULL,
        "runs" bigint NOT NULL,
        "failed_runs" bigint NOT NULL,
        "paths_completed" bigint NOT NULL,
        "paths_failed" bigint NOT NULL,
        "wall_time" bigint NOT NULL,
        CONSTRAINT "PK_43731dbd58b9a9585178a3386b1" PRIMARY KEY ("flow_id", "minutes", "until", "flow_version_id")
      ) WITH (fillfactor = 70)`);
    await queryRunner.query('CREATE INDEX "flow_run_sums_by_age" ON "flow_run_sums" ("until")');
    await queryRunner.query('CREATE INDEX "flow_run_sums_by_application" ON "flow_run_sums" ("application_id")');
    await queryRunner.query(
      'CREATE INDEX "flow_run_sums_by_version" ON "flow_run_sums" ("flow_id", "flow_version_id", "minutes", "until")',
    );
    await queryRunner.query(`
      ALTER TABLE "flow_run_sums"
      ADD CONSTRAINT "FK_916825ab012358f4db196c80bfd" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
    await queryRunner.query(`CREATE TABLE flow_run_deltas (
      flow_id text NOT NULL,
      until timestamptz(3) NOT NULL,
      flow_version_id text NOT NULL,
      ${SUMS.map((sum) => `${sum} bigint NOT NULL`).join(', ')}
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
      autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 10000)`);
    await queryRunner.query('CREATE INDEX flow_run_deltas_by_flow ON flow_run_deltas (flow_id, until)');
    // A few workflows may own most of the rows. With statistics based on that, look-ups of other workflows would scan
    // the whole table.
    for (const table of ['flow_runs', 'flow_run_sums', 'flow_run_deltas'])
      await queryRunner.query(`ALTER TABLE ${table} ALTER COLUMN flow_id SET (n_distinct = -0.01)`);
    await queryRunner.query(`CREATE FUNCTION sum_flow_runs() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'INSERT' THEN ${note(minutesOf('come', ''))}
      ELSE ${note(`${minutesOf('come', '')} UNION ALL ${minutesOf('gone', '-')}`)}
      END IF; RETURN NULL; END $$`);
    await queryRunner.query(`CREATE TRIGGER sum_flow_runs_insert AFTER INSERT ON flow_runs
      REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_flow_runs()`);
    await queryRunner.query(`CREATE TRIGGER sum_flow_runs_update AFTER UPDATE ON flow_runs
      REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION sum_flow_runs()`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DROP) await queryRunner.query(statement);
    await queryRunner.query('ALTER TABLE flow_runs ALTER COLUMN flow_id RESET (n_distinct)');
    for (const name of Object.keys(INDEXES)) await queryRunner.query(`DROP INDEX ${name}`);
  }
}
