import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the inbox of requested runs and the leases of its lanes. `flow_runs` only contains finished runs from now on, so
 * the columns of unfinished ones are removed.
 */
export class RunInbox1795660000001 implements MigrationInterface {
  name = 'RunInbox1795660000001';

  public async up(queryRunner: QueryRunner): Promise<void> {
    // Rows live for milliseconds. Without frequent vacuuming, each read would pass the index entries of deleted rows.
    await queryRunner.query(`CREATE TABLE run_inbox (
      lane smallint NOT NULL,
      seq bigint GENERATED ALWAYS AS IDENTITY,
      id text NOT NULL,
      application_id text NOT NULL,
      flow_id text NOT NULL,
      flow_version_id text,
      device_id text,
      payload_id text NOT NULL,
      requested_at timestamptz(3) NOT NULL,
      attempts smallint NOT NULL DEFAULT 0,
      PRIMARY KEY (lane, seq)
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000)`);
    await queryRunner.query(`CREATE TABLE lane_leases (
      lane smallint PRIMARY KEY,
      owner text,
      fence bigint NOT NULL DEFAULT 0,
      until timestamptz NOT NULL DEFAULT '-infinity'
    ) WITH (fillfactor = 50)`);
    await queryRunner.query('INSERT INTO lane_leases (lane) SELECT generate_series(0, 63)');
    await queryRunner.query('CREATE TABLE run_engines (id text PRIMARY KEY, until timestamptz NOT NULL)');
    await queryRunner.query('DROP INDEX "flow_runs_pending"');
    await queryRunner.query('ALTER TABLE "flow_runs" DROP COLUMN "status", DROP COLUMN "reply"');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "flow_runs" ADD "status" text NOT NULL DEFAULT 'done', ADD "reply" jsonb`,
    );
    await queryRunner.query(`ALTER TABLE "flow_runs" ALTER "status" SET DEFAULT 'pending'`);
    await queryRunner.query(
      `CREATE INDEX "flow_runs_pending" ON "flow_runs" ("requested_at") WHERE (status = 'pending'::text)`,
    );
    for (const table of ['run_engines', 'lane_leases', 'run_inbox'])
      await queryRunner.query(`DROP TABLE ${table}`);
  }
}
